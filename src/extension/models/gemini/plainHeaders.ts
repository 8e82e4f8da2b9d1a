/**
 * Replaces `Headers` in Google's library in the command-line build (esbuild.mjs). Implements only the methods that the
 * library calls for our requests.
 */
export class PlainHeaders implements Iterable<[string, string]> {
  private readonly values = new Map<string, string>();

  append(name: string, value: string): void {
    const before = this.get(name);
    this.values.set(name.toLowerCase(), before === null ? value : `${before}, ${value}`);
  }

  get(name: string): string | null {
    return this.values.get(name.toLowerCase()) ?? null;
  }

  [Symbol.iterator](): Iterator<[string, string]> {
    return this.values.entries();
  }
}
