// The deep test cuts at every byte; this one at every border of a frame and at some places between.
import { describeProviderContract } from "@rondo/ai/testing";
import { describe, it } from "vitest";
import { WIRES } from "./wires.ts";

describeProviderContract({ ...WIRES["openai-responses"], cuts: 30, describe, it });
