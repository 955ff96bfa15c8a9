import { createReference } from "../../src/backend/reference/reference.ts";
import { backendSuite } from "./backend-suite.ts";

backendSuite("reference", createReference);
