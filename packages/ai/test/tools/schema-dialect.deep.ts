import { describeAnySchema } from "./any-schema-suite.ts";

describeAnySchema(2000);
