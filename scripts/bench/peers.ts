import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runOrFail } from '../run.ts';
import { cacheFolder, withLock } from '../vscodeHost/cacheFolder.ts';
import { type Contestant, geminiCli } from './contestants.ts';

const peerPackage = '@google/gemini-cli';

/** Installs the peer into the cache folder if missing, which takes minutes. */
export async function installPeers(): Promise<readonly Contestant[]> {
  const folder = join(cacheFolder(), 'peers');
  const home = join(folder, 'node_modules', peerPackage);
  await mkdir(folder, { recursive: true });
  await withLock(folder, async () => {
    if (existsSync(join(home, 'package.json'))) return;
    console.error(`Installing ${peerPackage} …`);
    const args = ['install', peerPackage, '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error'];
    const problem = `${peerPackage} could not be installed. Check that npm reaches its registry, or leave out --peers`;
    await runOrFail('npm', args, problem, { cwd: folder, quiet: true });
  });
  const manifest = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'));
  const program = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin.gemini;
  const peer = geminiCli(join(home, program));
  return [{ ...peer, name: `Gemini CLI ${manifest.version}` }];
}
