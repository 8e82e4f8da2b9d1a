/**
 * Takes the place of `Headers` in Google's library, in the build for the command line (esbuild.mjs). The library calls
 * no more of it than this for what it is asked for here.
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
