/**
 * Which channel a name means. Of one name the highest counts, as a whole: built in, embedded definitions, channels of the
 * embedding program, the user's definitions, the project's.
 */
import type { ProviderDefinition, ProviderLayer } from "../../hooks/mod.ts";
import type { NotificationChannel } from "./channel.ts";
import { declaredChannel } from "./declared.ts";
import { EMBEDDED_DEFINITIONS } from "./embedded.ts";
import { feishu } from "./feishu.ts";
import { wechatWork } from "./wechat_work.ts";

/** The channels of this program: one row each. */
const BUILT_IN: readonly NotificationChannel[] = [feishu, wechatWork];

/** The definitions of one file. */
export interface DefinitionLayer {
  readonly layer: ProviderLayer;
  /** The file; absent for the embedded definitions. */
  readonly file?: string;
  readonly definitions: readonly ProviderDefinition[];
}

/** Where a channel comes from: a layer of definitions, or code of this program or of its embedder. */
export type ChannelOrigin = ProviderLayer | "built_in" | "code";

/** A channel that hides another one of the same name. */
export interface ReplacedChannel {
  /** In small letters. */
  readonly name: string;
  /** What is used. */
  readonly by: ChannelOrigin;
  readonly file?: string;
  /** What is hidden, as a whole. */
  readonly replaced: ChannelOrigin;
  /** For `hooks status` and the event. */
  readonly message: string;
}

/** All channels, resolved once; immutable. */
export interface NotificationProviders {
  /** In small letters, sorted. */
  readonly names: readonly string[];
  readonly replaced: readonly ReplacedChannel[];
  /** The channel of a name, in any case; undefined when there is none. */
  lookup(name: string): NotificationChannel | undefined;
}

/** What channels are made of. */
export interface ProviderSources {
  /** Files of definitions, lowest first. */
  readonly layers?: readonly DefinitionLayer[];
  /** Channels of the embedding program. They replace what this program brings; a definition in a file replaces them. */
  readonly channels?: readonly NotificationChannel[];
}

/** Resolves all names. */
export function createProviders({ layers = [], channels = [] }: ProviderSources = {}): NotificationProviders {
  const entries = new Map<string, Entry>();
  const replaced: ReplacedChannel[] = [];
  const add = (channel: NotificationChannel, origin: ChannelOrigin, file?: string) => {
    const name = foldName(channel.name);
    if (name === "") throw new TypeError("Cannot add a notification channel without a name");
    const before = entries.get(name);
    if (before !== undefined) replaced.push(replacement(name, before, { origin, file }));
    entries.set(name, { channel, origin, file });
  };
  BUILT_IN.forEach((channel) => add(channel, "built_in"));
  EMBEDDED_DEFINITIONS.forEach((definition) => add(declaredChannel(definition), "embedded"));
  channels.forEach((channel) => add(channel, "code"));
  for (const { layer, file, definitions } of layers) {
    definitions.forEach((definition) => add(declaredChannel(definition), layer, file));
  }
  return {
    names: [...entries.keys()].toSorted(),
    replaced,
    lookup: (name) => entries.get(foldName(name))?.channel,
  };
}

interface Place {
  readonly origin: ChannelOrigin;
  readonly file: string | undefined;
}

interface Entry extends Place {
  readonly channel: NotificationChannel;
}

function foldName(name: string): string {
  return name.trim().toLowerCase();
}

function replacement(name: string, before: Place, now: Place): ReplacedChannel {
  return {
    name,
    by: now.origin,
    ...(now.file !== undefined && { file: now.file }),
    replaced: before.origin,
    message: `the notification provider ${name} of ${placeOf(now)} replaces that of ${placeOf(before)}`,
  };
}

function placeOf({ origin, file }: Place): string {
  return file === undefined ? PLACES[origin] : `${PLACES[origin]} (${file})`;
}

const PLACES = {
  built_in: "this program",
  code: "the embedding program",
  embedded: "the embedded definitions",
  user: "the user's definitions",
  project: "the project's definitions",
} as const satisfies Record<ChannelOrigin, string>;
