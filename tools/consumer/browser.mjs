import { customModel, streamSimple } from "@rondo/ai";

const model = customModel({ id: "m", api: "anthropic-messages", baseUrl: "https://models.example.com" });
for await (const event of streamSimple(model, { messages: [] }, { apiKey: "none" })) console.log(event.type);
