/** Moves bytes between the agent and a child. Nothing here rejects: a broken pipe is how children end. */
import type { Capture } from "./capture.ts";

/** One stream being moved. */
export interface Pump {
  /** Resolves when the stream has ended or was closed. */
  readonly done: Promise<void>;
  /** Gives the stream up: what still comes is dropped. */
  close(): void;
}

/** Reads a stream to its end into a capture. */
export function pumpOut(stream: ReadableStream<Uint8Array>, capture: Capture): Pump {
  const reader = stream.getReader({ mode: "byob" });
  let closed = false;
  const read = async () => {
    let buffer = new Uint8Array(CHUNK_BYTES);
    for (;;) {
      const { value, done } = await reader.read(buffer);
      if (closed || done || value === undefined) return;
      capture.add(value);
      buffer = new Uint8Array(value.buffer);
    }
  };
  return {
    done: read().catch(ignore),
    close() {
      closed = true;
      reader.cancel().catch(ignore);
    },
  };
}

/** Writes bytes to stdin and closes it. A child that does not read them, or not all, is no failure. */
export function pumpIn(stream: WritableStream<Uint8Array>, bytes: Uint8Array): Pump {
  const writer = stream.getWriter();
  writer.closed.catch(ignore);
  writer.ready.catch(ignore);
  return {
    done: writer.write(bytes).then(() => writer.close()).catch(ignore),
    close() {
      writer.abort().catch(ignore);
    },
  };
}

const CHUNK_BYTES = 32 * 1024;

function ignore(): void {}
