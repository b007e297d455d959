// The contract of the four APIs with every fixture cut at every byte.
import { describeProviderContract } from "@rondo/ai/testing";
import { describe, it } from "vitest";
import { WIRES } from "./wires.ts";

const seed = Number(process.env["RONDO_SEED"] ?? 1);
for (const wire of Object.values(WIRES)) describeProviderContract({ ...wire, seed, describe, it });
