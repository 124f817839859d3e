/** A store of artifacts as the loop uses it: what is too large is kept, and a summary stands in its place. */
import { ARTIFACT_THRESHOLD_BYTES, type ArtifactPlace, createArtifactStore } from "./artifacts.ts";
import { summarize } from "./summary.ts";

/** Keeps large results of one session. */
export function createArtifactPort(place: ArtifactPlace) {
  const store = createArtifactStore(place);
  return {
    limit_bytes: ARTIFACT_THRESHOLD_BYTES,
    keep(call: { readonly name: string }, content: string) {
      const { ref, path } = store.put(call.name, content);
      return { ref, summary: summarize(content, ref, path) };
    },
    discard: (ref: string) => store.drop(ref),
  } as const;
}
