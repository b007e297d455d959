// Arguments checked by a schema, and what a model is told of them.
import type { TSchema } from "@sinclair/typebox";
import { expect } from "vitest";
import { validateToolArguments } from "../../src/tools/validate.ts";
import type { Tool } from "../../src/types.ts";

/** The arguments as the tool gets them; the call itself must not change. */
export function validate(parameters: unknown, received: unknown): unknown {
  const tool: Tool = { name: "edit", description: "", parameters: parameters as TSchema };
  const before = JSON.stringify(received);
  try {
    return validateToolArguments(tool, {
      type: "toolCall",
      id: "1",
      name: "edit",
      arguments: received as Record<string, unknown>,
    });
  } finally {
    expect(JSON.stringify(received)).toBe(before);
  }
}

/** What the model is told, or "accepted". */
export function refusal(parameters: unknown, received: unknown): string {
  try {
    validate(parameters, received);
  } catch (error) {
    return (error as Error).message;
  }
  return "accepted";
}

/** A schema with one argument, `v`. */
export const plain = (schema: unknown) => ({ type: "object", properties: { v: schema }, required: ["v"] });
