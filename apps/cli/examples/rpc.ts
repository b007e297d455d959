// Asks Rondo one thing over RPC with the typed client, and says no to whatever would change something.
//
//   node rpc.ts "what is in this folder?" [command that starts rondo, default: rondo]
import { RpcClient } from "rondo/rpc";

const [question = "", ...command] = process.argv.slice(2);

const client = new RpcClient({
  ...(command.length > 0 && { command }),
  onEvent: (event) => {
    if (event.type === "message_update" && event.event.type === "text_delta")
      process.stdout.write(event.event.delta ?? "");
  },
  onPermissionQuestion: () => false,
});
const end = await client.run(question);
process.stdout.write("\n");
await client.close();
if (end.reason !== "completed") process.exitCode = 1;
