import { describe, expect, it } from "vitest";
import { anthropicMessages } from "../../src/api/anthropic-messages/index.ts";
import { googleGenerativeAi } from "../../src/api/google-generative-ai/index.ts";
import { openaiCompletions } from "../../src/api/openai-completions/index.ts";
import { openaiResponses } from "../../src/api/openai-responses/index.ts";
import { isLoopback, parseBaseUrl } from "../../src/wire/base-url.ts";

const RULES = { anthropicMessages, openaiCompletions, openaiResponses, googleGenerativeAi };

describe("base URLs as people paste them", () => {
  const rows: [api: keyof typeof RULES, given: string, expected: string][] = [
    ["openaiCompletions", "http://h", "http://h/v1"],
    ["openaiCompletions", "http://h/", "http://h/v1"],
    ["openaiCompletions", "http://h/v1", "http://h/v1"],
    ["openaiCompletions", "http://h/v1/", "http://h/v1"],
    ["openaiCompletions", "http://h/v1/chat/completions", "http://h/v1"],
    ["openaiCompletions", "http://h/custom/path?x=1", "http://h/custom/path ? x=1"],
    [
      "openaiCompletions",
      "http://h:8080/api/v4/chat/completions/?api-version=2",
      "http://h:8080/api/v4 ? api-version=2",
    ],
    ["openaiResponses", "http://h", "http://h/v1"],
    ["openaiResponses", "http://h/v1/responses", "http://h/v1"],
    ["anthropicMessages", "http://h", "http://h"],
    ["anthropicMessages", "http://h/v1", "http://h"],
    ["anthropicMessages", "http://h/v1/messages", "http://h"],
    ["anthropicMessages", "http://h/anthropic/", "http://h/anthropic"],
    ["googleGenerativeAi", "http://h", "http://h/v1beta"],
    ["googleGenerativeAi", "http://h/v1beta/", "http://h/v1beta"],
    ["googleGenerativeAi", "http://h/v1beta/models", "http://h/v1beta"],
  ];
  for (const [api, given, expected] of rows) {
    it(`${api}: ${given} → ${expected}`, () => {
      const { url, query } = parseBaseUrl(given, RULES[api].address);
      expect(query.size > 0 ? `${url} ? ${query}` : url).toBe(expected);
    });
  }

  it("that are none are refused with what is wrong, and without their password", () => {
    const refused = (text: unknown): string => {
      try {
        return parseBaseUrl(text, openaiCompletions.address).url;
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(refused("")).toBe('The model\'s base URL "" is not a URL; it should look like https://api.example.com/v1.');
    expect(refused(undefined)).toContain("is not a URL");
    expect(refused("ftp://h/v1")).toBe('The model\'s base URL "ftp://h/v1" must begin with https:// or http://.');
    expect(refused("ftp://h/v1?key=hunter2#hunter2")).not.toContain("hunter2");
    expect(refused("https://me:hunter2@h/v1")).toBe(
      'The model\'s base URL "https://h/v1" has a user name or password in it; pass them in an authorization header instead.',
    );
  });

  it("on this machine need no key", () => {
    for (const url of [
      "http://localhost:1/v1",
      "http://127.0.0.1",
      "http://127.1.2.3/",
      "http://[::1]:8080",
      "http://a.localhost",
    ])
      expect([url, isLoopback(url)]).toEqual([url, true]);
    for (const url of ["http://localhost.example.com", "http://127.0.0.1.example.com", "https://10.0.0.1", "x"])
      expect([url, isLoopback(url)]).toEqual([url, false]);
  });
});
