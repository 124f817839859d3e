import assert from "node:assert/strict";
import { join } from "node:path";
import {
  distrustOf,
  formatTrustStore,
  holdsHome,
  isWithin,
  parseTrustStore,
  readTrust,
  type TrustSource,
  type TrustStore,
  workspaceTrust,
} from "../../src/config/mod.ts";

const HASH = "a".repeat(64);
const OTHER = "b".repeat(64);

/** Trust over a made-up disk: files by path, links by path. */
function trustOf(
  files: Readonly<Record<string, string>> = {},
  more: {
    readonly directories?: readonly string[];
    readonly pin?: boolean;
    readonly links?: Readonly<Record<string, string>>;
    readonly sources?: readonly ("soong" | "onecode")[];
    readonly user_home?: string | undefined;
  } = {},
) {
  const missing = new Set(["/nowhere"]);
  const source: TrustSource = {
    home: "/home/u/.soong-agent",
    user_home: "user_home" in more ? more.user_home : "/home/u",
    config: {
      hooks: { sources: more.sources ?? ["soong", "onecode"] } as unknown as TrustSource["config"]["hooks"],
      trust: { directories: more.directories ?? [], user_hooks: "trusted", pin: more.pin ?? false },
    },
    config_path: "/home/u/.soong-agent/config.toml",
    read(path) {
      const text = files[path];
      if (text === undefined) throw new Deno.errors.NotFound(path);
      return new TextEncoder().encode(text);
    },
    realPath(path) {
      const real = more.links?.[path] ?? join(path);
      if (missing.has(real)) throw new Deno.errors.NotFound(path);
      return real.length > 1 ? real.replace(/\/$/, "") : real;
    },
  };
  return readTrust(source);
}

Deno.test("a path is within a folder by whole names only (O-119, O-121, case 23)", () => {
  const rows: readonly (readonly [outer: string, inner: string, within: boolean])[] = [
    ["/tmp/App", "/tmp/App", true],
    ["/tmp/App", "/tmp/App/deep/er", true],
    ["/tmp/App/", "/tmp/App", true],
    ["/tmp/App", "/tmp/App/", true],
    ["/tmp/App///", "/tmp/App//", true],
    ["/tmp/App", "/tmp/Application", false],
    ["/tmp/App", "/tmp/App-evil/x", false],
    ["/tmp/App", "/tmp/app", false],
    ["/tmp/App", "/tmp/Ap", false],
    ["/tmp/App", "/tmp/other/App", false],
    ["/tmp/App", "/tmp", false],
    ["/tmp/App", "/", false],
    ["/tmp/App", "/tmp/App/..hidden", true],
    ["/", "/anything", true],
  ];
  for (const [outer, inner, within] of rows) assert.equal(isWithin(outer, inner), within, `${outer} ${inner}`);
});

Deno.test("what makes a project trusted: real paths, sub-folders, ~, links on either side, and nothing in doubt", () => {
  const settings = "/home/u/.soong-agent/settings.json";
  const rows: readonly (readonly [what: string, trust: ReturnType<typeof trustOf>, project: string, kind: string])[] = [
    ["nothing", trustOf(), "/srv/p", "untrusted"],
    ["config.toml", trustOf({}, { directories: ["/srv/p"] }), "/srv/p", "folder"],
    ["a sub-folder", trustOf({}, { directories: ["/srv"] }), "/srv/p/q", "folder"],
    ["a sibling with the same beginning", trustOf({}, { directories: ["/srv/p"] }), "/srv/pq", "untrusted"],
    ["~", trustOf({}, { directories: ["~/src"] }), "/home/u/src/p", "folder"],
    ["~ alone", trustOf({}, { directories: ["~"] }), "/home/u/src/p", "folder"],
    ["~ of another user", trustOf({}, { directories: ["~root/src"] }), "/home/u/~root/src", "untrusted"],
    ["~ without a home", trustOf({}, { directories: ["~/src"], user_home: undefined }), "/src", "untrusted"],
    ["a way up and down", trustOf({}, { directories: ["/srv/x/../p"] }), "/srv/p", "folder"],
    ["a link to the project", trustOf({}, { directories: ["/l"], links: { "/l": "/srv/p" } }), "/srv/p", "folder"],
    ["a link from inside to elsewhere", trustOf({}, { directories: ["/srv/p"] }), "/elsewhere", "untrusted"],
    ["a relative path", trustOf({}, { directories: ["srv/p", "."] }), "/srv/p", "untrusted"],
    ["a folder that is not there", trustOf({}, { directories: ["/nowhere"] }), "/nowhere", "untrusted"],
    ["settings.json", trustOf({ [settings]: '{ "trustedDirectories": ["/srv/p"], }' }), "/srv/p", "folder"],
    ["the other spelling", trustOf({ [settings]: '{ "TrustedDirectories": ["/srv/p"] }' }), "/srv/p", "folder"],
    [
      "both spellings",
      trustOf({ [settings]: '{"trustedDirectories":["/a"],"TRUSTEDDIRECTORIES":["/b"]}' }),
      "/b",
      "folder",
    ],
    ["comments", trustOf({ [settings]: '// mine\n{ "trustedDirectories": ["/srv/p"] }' }), "/srv/p", "folder"],
    ["a text in place of a list", trustOf({ [settings]: '{ "trustedDirectories": "/" }' }), "/srv/p", "untrusted"],
    ["a list with a number", trustOf({ [settings]: '{ "trustedDirectories": ["/srv", 1] }' }), "/srv/p", "untrusted"],
    ["broken settings", trustOf({ [settings]: '{ "trustedDirectories": ["/srv"' }), "/srv/p", "untrusted"],
    [
      "OneCode's settings",
      trustOf({ "/home/u/.onecode/settings.json": '{"TrustedDirectories":["/srv"]}' }),
      "/srv/p",
      "folder",
    ],
    [
      "OneCode's settings without the source",
      trustOf({ "/home/u/.onecode/settings.json": '{"TrustedDirectories":["/srv"]}' }, { sources: ["soong"] }),
      "/srv/p",
      "untrusted",
    ],
    [
      "the project's own settings",
      trustOf({
        "/srv/p/.onecode/settings.json": '{"trustedDirectories":["/srv/p"]}',
        "/srv/p/.soong-agent/settings.json": '{"trustedDirectories":["/srv/p"]}',
        "/srv/p/settings.json": '{"trustedDirectories":["/srv/p"]}',
      }),
      "/srv/p",
      "untrusted",
    ],
    ["trust.json, a folder", stored({ folders: { "/srv/p": { trusted_at: "t" } } }), "/srv/p/q", "folder"],
    ["trust.json, a content", stored({ projects: { "/srv/p": { trusted_at: "t", files: {} } } }), "/srv/p", "content"],
  ];
  for (const [what, trust, project, kind] of rows) assert.equal(workspaceTrust(trust, project).kind, kind, what);
});

Deno.test("a file of a project counts by folder, or by the very content that was trusted", () => {
  const path = "/srv/p/.onecode/hooks.json";
  const file = (sha256: string, realPath = path) => ({ path, real_path: realPath, sha256 });
  const pinned = stored({ projects: { "/srv/p": { trusted_at: "t", files: { [path]: HASH } } } });
  const without = stored({ projects: { "/srv/p": { trusted_at: "t", files: {} } } });
  const folder = trustOf({}, { directories: ["/srv/p"] });
  const strict = trustOf({}, { directories: ["/srv/p"], pin: true });
  const rows: readonly (readonly [string, ReturnType<typeof trustOf>, ReturnType<typeof file>, string | undefined])[] =
    [
      ["nothing", trustOf(), file(HASH), "untrusted"],
      ["the content", pinned, file(HASH), undefined],
      ["another content", pinned, file(OTHER), "changed"],
      ["a file that came later", without, file(HASH), "new"],
      ["the folder", folder, file(OTHER), undefined],
      ["the folder, and a link out of it", folder, file(HASH, "/srv/pq/.onecode/hooks.json"), "linked_out"],
      ["the folder with pin", strict, file(HASH), "new"],
    ];
  for (const [what, trust, given, expected] of rows) {
    assert.equal(distrustOf(trust, "/srv/p", given), expected, what);
  }
});

Deno.test("findings name the file and the place, and say that nothing of it is trusted", () => {
  const home = "/home/u/.soong-agent";
  const rows: readonly (readonly [files: Record<string, string>, place: string, says: RegExp])[] = [
    [{ [`${home}/settings.json`]: '{\n "trustedDirectories": [1 2]\n}' }, `${home}/settings.json:2:27`, /no folder/],
    [{ [`${home}/trust.json`]: "{\n  oops" }, `${home}/trust.json:2:3`, /nothing in it is trusted/],
    [{ [`${home}/trust.json`]: '{"version":2}' }, `${home}/trust.json:1:1`, /"version" is not 1/],
    [
      { [`${home}/trust.json`]: '{"version":1,"folders":{"rel":{"trusted_at":"t"}}}' },
      `${home}/trust.json:1:1`,
      /as soong/,
    ],
    [
      { [`${home}/trust.json`]: '{"version":1,"projects":{"/p":{"trusted_at":"t","files":{"/p/x":"short"}}}}' },
      `${home}/trust.json:1:1`,
      /as soong/,
    ],
  ];
  for (const [files, place, says] of rows) {
    const { diagnostics, folders, store } = trustOf(files);
    assert.deepEqual(diagnostics.map(({ file, line, column }) => `${file}:${line}:${column}`), [place]);
    assert.match(diagnostics[0]!.message, says);
    assert.deepEqual([folders, store], [[], { folders: {}, projects: {} }]);
  }
});

Deno.test("a folder that holds the home or the disk is warned about where a hand wrote it, not where it was asked (case 23)", () => {
  const settings = "/home/u/.soong-agent/settings.json";
  const links = { "/l": "/home", "/home/link": "/home/u" };
  const rows: readonly (readonly [what: string, trust: ReturnType<typeof trustOf>, file: string | undefined])[] = [
    ["/ in config.toml", trustOf({}, { directories: ["/"] }), "/home/u/.soong-agent/config.toml"],
    ["~ in config.toml", trustOf({}, { directories: ["~"] }), "/home/u/.soong-agent/config.toml"],
    ["a folder above, in settings", trustOf({ [settings]: '{"trustedDirectories":["/home/"]}' }), settings],
    ["a link to above", trustOf({}, { directories: ["/l"], links }), "/home/u/.soong-agent/config.toml"],
    [
      "a home that is a link",
      trustOf({}, { directories: ["/home/u"], links, user_home: "/home/link" }),
      "/home/u/.soong-agent/config.toml",
    ],
    ["trust.json", stored({ folders: { "/": { trusted_at: "t" } } }), undefined],
    ["a folder in the home", trustOf({}, { directories: ["~/src"] }), undefined],
    ["a sibling of the home", trustOf({}, { directories: ["/home/u2"] }), undefined],
  ];
  for (const [what, { diagnostics }, file] of rows) {
    const expected = file === undefined ? [] : [[file, "warning"]];
    assert.deepEqual(diagnostics.map((one) => [one.file, one.severity]), expected, what);
    for (const { message } of diagnostics) assert.match(message, /whole home folder or disk/);
  }
  for (const written of ["", ".", "relative/dir"]) {
    const { diagnostics, folders } = trustOf({}, { directories: [written] });
    assert.deepEqual(folders.map(({ real }) => real), [undefined], written);
    assert.match(diagnostics[0]!.message, /makes nothing trusted/);
  }
});

Deno.test("a warning about a trusted folder points at its entry", () => {
  const home = "/home/u/.soong-agent";
  const rows:
    readonly (readonly [file: string, text: string, folders: readonly string[], places: readonly string[]])[] = [
      ["config.toml", '[trust]\ndirectories = ["~"]\n', ["~"], ["2:16"]],
      ["config.toml", "model = 'm'\ntrust.directories = [\n  '/srv',\n  '.', '/']\n", ["/srv", ".", "/"], [
        "4:3",
        "4:8",
      ]],
      ["config.toml", "[trust]\ndirectories = []\n", ["~"], ["2:1"]],
      ["config.toml", "oops", ["~"], ["1:1"]],
      ["settings.json", '// mine\n{ "x": "/",\n  "TrustedDirectories": ["/srv", "/"] }', [], ["3:34"]],
    ];
  for (const [file, text, directories, places] of rows) {
    const { diagnostics } = trustOf({ [`${home}/${file}`]: text }, { directories });
    assert.deepEqual(
      diagnostics.map((one) => `${one.file}:${one.line}:${one.column}`),
      places.map((place) => `${home}/${file}:${place}`),
      text,
    );
  }
});

Deno.test("a folder holds the home by whole names only", () => {
  const rows: readonly (readonly [folder: string, home: string | undefined, holds: boolean])[] = [
    ["/", undefined, true],
    ["/", "/home/u", true],
    ["/home", "/home/u", true],
    ["/home/u", "/home/u", true],
    ["/home/u/src", "/home/u", false],
    ["/hom", "/home/u", false],
    ["/srv", undefined, false],
  ];
  for (const [folder, home, holds] of rows) assert.equal(holdsHome(folder, home), holds, `${folder} ${home}`);
});

Deno.test("trust.json is read back as it was written", () => {
  const store: TrustStore = {
    folders: { "/srv/p q": { trusted_at: "2026-01-01T00:00:00.000Z" } },
    projects: { "/srv/ü": { trusted_at: "2026-01-01T00:00:00.000Z", files: { "/srv/ü/.mcp.json": HASH } } },
  };
  const bytes = new TextEncoder().encode(formatTrustStore(store));
  assert.deepEqual(parseTrustStore("/t", bytes), { store, diagnostics: [] });
});

function stored(store: Partial<TrustStore>) {
  return trustOf({ "/home/u/.soong-agent/trust.json": formatTrustStore({ folders: {}, projects: {}, ...store }) });
}
