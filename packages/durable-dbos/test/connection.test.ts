import { expect, test } from "vitest";
import { connectionString } from "../src/connection.ts";

const optionsOf = (url: string) => new URL(connectionString(url)).searchParams.get("options");

test("a short limit for idle transactions is added to what the connection string has", () => {
  expect(optionsOf("postgresql://me:pw@host:5432/db")).toBe("-c idle_in_transaction_session_timeout=3000");
  expect(optionsOf("postgresql://host/db?options=-c%20work_mem%3D64MB&sslmode=require")).toBe(
    "-c work_mem=64MB -c idle_in_transaction_session_timeout=3000",
  );
});

test("a limit that is set already stays", () => {
  const url = "postgresql://host/db?options=-c%20idle_in_transaction_session_timeout%3D9s";
  expect(connectionString(url)).toBe(url);
});
