import { describeHandoff } from "./handoff-suite.ts";

describeHandoff(30);
