import { describeHandoff } from "./handoff-suite.ts";

// Sixteen pairs: 16,000 histories, and as many again for the beginnings.
describeHandoff(1000);
