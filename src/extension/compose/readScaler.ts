/** Reads Photon's WebAssembly, which makes pictures smaller. */
export async function readScaler(): Promise<Uint8Array> {
  const { readGrammar } = await import('../node/grammarFiles.ts');
  return readGrammar('photon.wasm', '@cf-wasm/photon/photon.wasm');
}
