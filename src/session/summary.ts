/** What stands in the conversation for a result that is kept as an artifact. */

/** Characters (UTF-16 units) of the beginning and of the end, each, that a summary shows at most. */
const SHOWN_LENGTH = 2000;
/** Lines of the beginning and of the end, each. */
const SHOWN_LINES = 20;

/**
 * The text that the model and hooks read instead of the content: its size, where it is kept, how to read it, and its
 * first and last lines. `path` is absolute; `ref` is the `artifact_ref` of the result.
 */
export function summarize(content: string, ref: string, path: string): string {
  const size = new TextEncoder().encode(content).length;
  const lines = lineCount(content);
  const head = firstLines(content);
  const tail = lastLines(content.slice(head.length));
  const omitted = content.length - head.length - tail.length;
  return [
    `The result is too large for the conversation: ${size} bytes in ${lines} ${lines === 1 ? "line" : "lines"}.`,
    `It is kept in the file ${path} (artifact_ref: ${ref}).`,
    "Read parts of it with Read (file_path, offset, limit) or search it with Grep (pattern, path).",
    "",
    "Its beginning:",
    head.replace(/\n$/, ""),
    ...(omitted > 0 ? [`[${omitted} characters left out]`] : []),
    ...(tail === "" ? [] : ["Its end:", tail.replace(/\n$/, "")]),
  ].join("\n");
}

function lineCount(content: string): number {
  let count = 0;
  for (let at = content.indexOf("\n"); at !== -1; at = content.indexOf("\n", at + 1)) count += 1;
  return content.endsWith("\n") ? count : count + 1;
}

/** The first lines, each whole unless the first one alone is too long. */
function firstLines(content: string): string {
  let end = 0;
  for (let lines = 0; lines < SHOWN_LINES && end < content.length; lines++) {
    const next = content.indexOf("\n", end);
    const lineEnd = next === -1 ? content.length : next + 1;
    if (lineEnd > SHOWN_LENGTH) break;
    end = lineEnd;
  }
  return end > 0 ? content.slice(0, end) : cutBefore(content, SHOWN_LENGTH);
}

/** The last lines, in the same way. */
function lastLines(content: string): string {
  let start = content.length;
  for (let lines = 0; lines < SHOWN_LINES && start > 0; lines++) {
    const lineStart = start < 2 ? 0 : content.lastIndexOf("\n", start - 2) + 1;
    if (content.length - lineStart > SHOWN_LENGTH) break;
    start = lineStart;
  }
  return start < content.length ? content.slice(start) : cutAfter(content, Math.max(0, content.length - SHOWN_LENGTH));
}

function cutBefore(content: string, index: number): string {
  return content.slice(0, isLowSurrogate(content, index) ? index - 1 : index);
}

function cutAfter(content: string, index: number): string {
  return content.slice(isLowSurrogate(content, index) ? index + 1 : index);
}

function isLowSurrogate(content: string, index: number): boolean {
  const unit = content.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
