// Which model answers: the first of a list that can, and without a list the one that was used last.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadFixture, type RecordedRequest, replayScript, type ServedResponse } from "@rondo/test-fixtures";
import { describe, expect, test } from "vitest";
import { rondo } from "../command.ts";
import { closedPort, serve, text } from "../served-model.ts";
import { temporaryFolder } from "../temporary-workspace.ts";

const KEY = "sk-a-key-that-is-long-enough-1234";
const CHAIN = "anthropic/claude-sonnet-5-5,openai/gpt-6.1-sol";
const FIRST_FAILS = "rondo: anthropic/claude-sonnet-5-5 failed, so openai/gpt-6.1-sol is asked. ";

/** A configuration in which providers are at these addresses. */
function configFor(addresses: Record<string, string>) {
  const config = join(temporaryFolder(), "config");
  mkdirSync(config);
  const providers = Object.fromEntries(Object.entries(addresses).map(([id, baseUrl]) => [id, { baseUrl }]));
  writeFileSync(join(config, "models.json"), JSON.stringify({ providers }));
  return { RONDO_CONFIG: config, ANTHROPIC_API_KEY: KEY, OPENAI_API_KEY: KEY };
}

const answering = () => serve(replayScript(() => text("from the second")));

/** A run of the chain, with what the first provider does. */
async function runChain(first: (request: RecordedRequest) => ServedResponse, args: string[] = []) {
  const [one, two] = await Promise.all([serve(first), answering()]);
  const env = configFor({ anthropic: one.url, openai: two.url });
  const end = await rondo(["-p", "hi", "--model", CHAIN, ...args], { env });
  return { ...end, asked: [one.requests.length, two.requests.length] };
}

describe("several models: the next is asked when one fails", () => {
  test.each([
    ["overloaded", { status: 503, body: "busy" }],
    ["without a valid key", { status: 401, body: loadFixture("anthropic-messages", "error-401.json") }],
    ["cut before it says anything", { body: "" }],
  ])("%s", async (_name, response) => {
    const { code, stdout, stderr, asked } = await runChain(() => response);
    expect([code, stdout, asked]).toEqual([0, "from the second\n", [1, 1]]);
    expect(stderr.startsWith(FIRST_FAILS)).toBe(true);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  test("with a refused connection", async () => {
    const two = await answering();
    const env = configFor({ anthropic: `http://127.0.0.1:${await closedPort()}`, openai: two.url });
    const end = await rondo(["-p", "hi", "--model", CHAIN], { env });
    expect([end.code, end.stdout, end.stderr.startsWith(FIRST_FAILS)]).toEqual([0, "from the second\n", true]);
  });

  test("not once something of an answer has come", async () => {
    const body = Buffer.from(loadFixture("anthropic-messages", "text"));
    const cut = body.subarray(0, body.indexOf("event: content_block_stop"));
    const { code, stdout, asked } = await runChain(() => ({ body: cut }), ["--max-turns", "1"]);
    expect([code, stdout.includes("from the second"), asked[1]]).toEqual([1, false, 0]);
  });

  test("each with the thinking that is written at it, and a server's address for its own provider alone", async () => {
    const [one, two] = await Promise.all([serve(() => ({ status: 503, body: "busy" })), answering()]);
    const env = configFor({ openai: two.url });
    const model = "anthropic/claude-sonnet-5-5,openai/gpt-6.1-sol:high";
    const end = await rondo(["-p", "hi", "--model", model, "--base-url", one.url, "--api-key", "own"], { env });
    expect([end.code, end.stdout]).toEqual([0, "from the second\n"]);
    expect(JSON.parse(two.requests[0]?.text ?? "").reasoning).toMatchObject({ effort: "high" });
    expect(JSON.stringify(one.requests[0]?.headers)).toContain("own");
    expect(two.requests[0]?.headers["authorization"]).toBe(`Bearer ${KEY}`);
  });

  test("the settings file may hold a list too, and the demo may be its end", async () => {
    const env = configFor({ anthropic: `http://127.0.0.1:${await closedPort()}` });
    writeFileSync(join(env.RONDO_CONFIG, "settings.json"), '{"model":"anthropic/claude-sonnet-5-5, demo"}');
    const end = await rondo(["-p", "repeat: hi"], { env });
    expect([end.code, end.stdout]).toEqual([0, "hi\n"]);
  });

  test("a list with a gap, or with a name that is none, is a usage error", async () => {
    const gap = await rondo(["-p", "hi", "--model", "demo,"]);
    expect([gap.code, gap.stderr]).toEqual([
      2,
      'rondo: "demo," has a comma with no model beside it. Write it as a/b,c/d.\n',
    ]);
    expect((await rondo(["-p", "hi", "--model", "demo,nonsense"])).code).toBe(2);
  });
});

describe("a server of one's own, named by its address alone", () => {
  const chat = async () => serve(replayScript(() => text("from my own")));
  const asked = ({ requests }: Awaited<ReturnType<typeof chat>>) =>
    requests.map(({ path, text: body }) => [path, JSON.parse(body).model]);

  test.each([
    ["a name that no list holds", "my-model", "my-model"],
    ["a name with a slash and a level", "some-vendor/my-model:7b:high", "some-vendor/my-model:7b"],
    ["a name that several of the lists are like", "qwen3", "qwen3"],
  ])("is asked for %s", async (_name, model, id) => {
    const server = await chat();
    const end = await rondo(["-p", "hi", "--model", model, "--base-url", `${server.url}/v1`]);
    expect([end.code, end.stdout, end.stderr]).toEqual([0, "from my own\n", ""]);
    expect(asked(server)).toEqual([["/v1/chat/completions", id]]);
  });

  test("is asked again when the session goes on", async () => {
    const server = await chat();
    const session = join(temporaryFolder(), "session.jsonl");
    const address = ["--session", session, "--base-url", `${server.url}/v1`];
    await rondo(["-p", "hi", "--model", "my-model", ...address]);
    const end = await rondo(["-p", "again", ...address]);
    expect([end.code, end.stdout]).toEqual([0, "from my own\n"]);
    expect(asked(server).map(([, id]) => id)).toEqual(["my-model", "my-model"]);
  });

  test("a provider that does not exist is told all the same", async () => {
    const end = await rondo(["-p", "hi", "--model", "m", "--provider", "custom"]);
    expect([end.code, end.stderr.split(".")[0]]).toEqual([2, "rondo: There is no provider custom"]);
  });
});

test("a conversation whose signature is refused goes on without its thinking", async () => {
  const refusal = {
    type: "error",
    error: { type: "invalid_request_error", message: "Invalid `signature` in `thinking`" },
  };
  const server = await serve(({ text: body }) =>
    body.includes('"signature"')
      ? { status: 400, headers: { "content-type": "application/json" }, body: JSON.stringify(refusal) }
      : { body: loadFixture("anthropic-messages", "text") },
  );
  const env = configFor({ anthropic: server.url });
  const session = join(temporaryFolder(), "session.jsonl");
  const run = (prompt: string) =>
    rondo([prompt, "--mode", "json", "--session", session, "--model", "anthropic/claude-sonnet-5-5"], { env });
  await run("hi");
  const signed = { type: "thinking", thinking: "hm", thinkingSignature: "old" };
  const lines = readFileSync(session, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  lines.find(({ message }) => message?.role === "assistant").message.content.unshift(signed);
  writeFileSync(session, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const end = await run("again");
  expect([end.code, server.requests.length]).toEqual([0, 3]);
  expect(end.stdout).toContain('"code":"history_reduced"');
});

describe("the model that was used last", () => {
  test("is taken when none is named, before the first provider with a key, and it is said", async () => {
    const [anthropic, openai] = await Promise.all([
      serve(() => ({ body: loadFixture("anthropic-messages", "text") })),
      answering(),
    ]);
    const env = configFor({ anthropic: anthropic.url, openai: openai.url });
    const first = await rondo(["-p", "hi"], { env });
    expect(first.stderr).toBe("rondo: using anthropic/claude-sonnet-5-5, since there is a key for anthropic.\n");
    await rondo(["-p", "hi", "--model", "openai/gpt-6.1-sol"], { env });
    const next = await rondo(["-p", "hi"], { env });
    expect([next.code, next.stdout, next.stderr]).toEqual([
      0,
      "from the second\n",
      "rondo: using openai/gpt-6.1-sol, the model that was used last.\n",
    ]);
    expect((await rondo(["doctor"], { env })).stdout).toContain("the model that was used last.");
    const keyless = { RONDO_CONFIG: env.RONDO_CONFIG, ANTHROPIC_API_KEY: KEY };
    expect((await rondo(["-p", "hi"], { env: keyless })).stderr).toContain("since there is a key for anthropic.");
  });

  test("is not one that failed, nor one behind an address of its own, nor the demo", async () => {
    const [failing, openai] = await Promise.all([serve(() => ({ status: 401, body: "" })), answering()]);
    const env = configFor({ anthropic: failing.url, openai: "http://127.0.0.1:1" });
    await rondo(["-p", "hi", "--model", "anthropic/claude-sonnet-5-5"], { env });
    await rondo(["-p", "hi", "--model", "openai/gpt-6.1-sol", "--base-url", openai.url], { env });
    await rondo(["-p", "repeat: hi", "--model", "demo"], { env });
    expect((await rondo(["doctor"], { env })).stdout).toContain("since there is a key for anthropic.");
  });

  test("a damaged note of it is as good as none", async () => {
    const env = configFor({});
    writeFileSync(join(env.RONDO_CONFIG, "last-model.json"), "{");
    expect((await rondo(["doctor"], { env })).stdout).toContain("since there is a key for anthropic.");
    writeFileSync(join(env.RONDO_CONFIG, "last-model.json"), '{"model":"nobody/none"}');
    expect((await rondo(["doctor"], { env })).stdout).toContain("since there is a key for anthropic.");
  });
});

describe("a name that no usable provider has", () => {
  /** A server as Ollama is, with these models. */
  const ollama = async (...ids: string[]) => {
    const answer = replayScript(() => text("from this machine"));
    const server = await serve((request) =>
      request.path.endsWith("/models")
        ? { body: JSON.stringify({ data: ids.map((id) => ({ id })) }), headers: { "content-type": "application/json" } }
        : answer(request),
    );
    return { OLLAMA_BASE_URL: `${server.url}/v1` };
  };

  test.each([["gpt-oss:20b"], ["gpt-oss:20b:high"]])(
    "%s is that of a local server, by its exact name",
    async (name) => {
      const end = await rondo(["-p", "hi", "--model", name], { env: await ollama("other", "gpt-oss:20b") });
      expect([end.code, end.stdout, end.stderr]).toEqual([
        0,
        "from this machine\n",
        "rondo: using ollama/gpt-oss:20b, which this local server has.\n",
      ]);
    },
  );

  test("a part of a local name means none, and a provider that is named is asked", async () => {
    const env = await ollama("gpt-oss:20b-mine", "claude-sonnet-5-5");
    const part = await rondo(["-p", "hi", "--model", "20b-mine"], { env });
    expect([part.code, part.stdout]).toEqual([2, ""]);
    const named = await rondo(["-p", "hi", "--model", "anthropic/claude-sonnet-5-5"], { env });
    expect([named.code, named.stderr]).toEqual([3, expect.stringContaining("There is no API key for Anthropic.")]);
  });
});
