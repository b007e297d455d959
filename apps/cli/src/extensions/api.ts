// What an extension is handed, and what it may register. Types for people who write extensions; the package exports them as
// `rondo/extension`. An extension has the rights of the person: it is code that runs in the command's own process.
import type {
  AfterToolCallContext,
  AfterToolCallResult,
  AgentEvent,
  AnyAgentTool,
  BeforeToolCallContext,
  BeforeToolCallResult,
  StreamFn,
} from "@rondo/agent";
import type { ProtocolSource, ProviderRow, Type } from "@rondo/ai";

/** A command of the editor, called by `/name`. */
export interface ExtensionCommand {
  /** Without the slash. */
  name: string;
  description: string;
  /** What may follow it, for people. */
  argumentHint?: string;
  /** Runs it. A text that it returns is said to the model. */
  run: (argument: string) => string | undefined | Promise<string | undefined>;
}

/** What an extension may do when it is loaded. Names that are taken already, by a built-in or another extension, are refused. */
export interface ExtensionApi {
  /** Builds the schemas of tool parameters; any plain JSON Schema does as well. */
  readonly Type: typeof Type;
  /** Absolute path of the workspace. */
  readonly workspace: string;
  /** Adds a tool. It goes through the same permissions as the built-in ones: `--allow` with its name, or a question. */
  tool(tool: AnyAgentTool): void;
  /** Adds a command of the editor. */
  command(command: ExtensionCommand): void;
  /** Adds a provider: who serves models, and where. */
  provider(row: ProviderRow): void;
  /** Adds a wire protocol, for models whose `api` is this name. */
  protocol(api: string, source: ProtocolSource): void;
  /** Puts a stream function around every model call, the one that is registered last outermost. */
  streamFn(wrap: (next: StreamFn) => StreamFn): void;
  /** Runs before each tool call, after the permissions; may block it. If it throws, that call fails. */
  beforeToolCall(
    hook: (
      context: BeforeToolCallContext,
    ) => BeforeToolCallResult | undefined | Promise<BeforeToolCallResult | undefined>,
  ): void;
  /** Runs after each tool call; may change its result. If it throws, that call fails. */
  afterToolCall(
    hook: (context: AfterToolCallContext) => AfterToolCallResult | undefined | Promise<AfterToolCallResult | undefined>,
  ): void;
  /** Hears every event of a run and is waited for. If it throws, that is told and the run goes on. */
  onEvent(listener: (event: AgentEvent) => void | Promise<void>): void;
}

/** What the module of an extension exports as its default. It is waited for, at most ten seconds. */
export type Extension = (rondo: ExtensionApi) => void | Promise<void>;
