/** Kept bytes, named by their content. The newest are kept longest; the oldest go when space runs out. */
export interface BlobStore {
  /** Keeps the bytes, durably once resolved. The id is the SHA-256 in hexadecimal. */
  put(bytes: Uint8Array): Promise<string>;
  /** `undefined` when they are not kept (any more). */
  get(id: string): Promise<Uint8Array | undefined>;
}
