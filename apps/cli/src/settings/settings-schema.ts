// The settings file as a schema: what is read, what is refused, and the JSON Schema that editors use are all made from this.
import { type Static, THINKING_LEVELS, Type } from "@rondo/ai";
import { ROLES, THEMES, type ThemeName, type ThemeStyles } from "../modes/interactive/themes.ts";

const Rules = (description: string) => Type.Array(Type.String(), { description });

const McpServer = Type.Object(
  {
    command: Type.Optional(Type.String({ description: "The program of a server that is started here" })),
    args: Type.Optional(Type.Array(Type.String())),
    env: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: "Added to a short list of harmless variables; nothing else of the environment is passed on",
      }),
    ),
    url: Type.Optional(Type.String({ description: "The address of a server that runs elsewhere (streamable HTTP)" })),
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    timeoutMs: Type.Optional(
      Type.Integer({ minimum: 1, description: "Most milliseconds of one call. Default 60,000" }),
    ),
  },
  { additionalProperties: false },
);

const Compaction = Type.Object(
  {
    enabled: Type.Optional(
      Type.Boolean({
        description: "Whether notes are made without being asked for. Default true; /compact makes them anyway",
      }),
    ),
    reserveTokens: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: "Notes are made when less than this is left of the window. Default 16,384, at most a half of it",
      }),
    ),
    keepRecentTokens: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          "As much of what was said last stays word for word. Default 20,000, at most a quarter of the window",
      }),
    ),
  },
  { additionalProperties: false, description: "When notes take the place of old messages" },
);

const Styles = Type.Unsafe<Partial<ThemeStyles>>(
  Type.Object(Object.fromEntries(ROLES.map((role) => [role, Type.Optional(Type.String())])), {
    additionalProperties: false,
    description:
      "Other looks for single things: words like bold, dim, italic, underline, strike, a colour (red, bright-red), one of 256 by number, or #rrggbb",
  }),
);

/** The schema of settings.json. */
export const SettingsSchema = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    model: Type.Optional(Type.String({ description: "As for --model" })),
    thinking: Type.Optional(
      Type.Union(
        THINKING_LEVELS.map((level) => Type.Literal(level)),
        { description: "As for --thinking" },
      ),
    ),
    allow: Type.Optional(Rules("Rules as for --allow")),
    ask: Type.Optional(Rules("Rules as for --ask")),
    deny: Type.Optional(Rules("Rules as for --deny")),
    sandbox: Type.Optional(Type.Boolean({ description: "As for --sandbox. Default false" })),
    systemPrompt: Type.Optional(Type.String({ description: "In the place of the system prompt" })),
    appendSystemPrompt: Type.Optional(Type.String({ description: "At the end of the system prompt" })),
    compaction: Type.Optional(Compaction),
    theme: Type.Optional(
      Type.Union(
        (Object.keys(THEMES) as ThemeName[]).map((name) => Type.Literal(name)),
        { description: "The colours of the terminal. Default: by what the terminal says of itself" },
      ),
    ),
    styles: Type.Optional(Styles),
    showThinking: Type.Optional(
      Type.Boolean({ description: "Whether the terminal shows how the model thinks. Default false" }),
    ),
    keys: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]), {
        description:
          "Which key does what in the terminal: a name of docs/interactive.md → a key or several, like ctrl+p",
      }),
    ),
    extensions: Type.Optional(
      Type.Array(Type.String(), { description: "Modules to load, relative to the folder of this file" }),
    ),
    mcpServers: Type.Optional(
      Type.Record(Type.String(), McpServer, { description: "Servers of the Model Context Protocol, by name" }),
    ),
  },
  { additionalProperties: false },
);

/** What may stand in the file. Flags win over it; its rules are added to those of the flags. */
export type FileSettings = Static<typeof SettingsSchema>;
/** When to compact, and how much stays. */
export type CompactionSettings = Static<typeof Compaction>;
/** One server. */
export type McpServerSettings = Static<typeof McpServer>;
