/** Runs actions on one path one after another, in the order they came; actions on different paths are independent. */
export class PathQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the action when those before it on the same path are through, whatever became of them. */
  async run<Result>(path: string, action: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(path) ?? Promise.resolve();
    const mine = before.then(action, action);
    this.#last.set(path, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(path) === mine) this.#last.delete(path);
    }
  }
}
