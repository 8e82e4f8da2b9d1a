/* A registry of npm packages on this machine. */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export interface PublishedPackage {
  readonly version: string;
  /** What `packArchive` returned. */
  readonly archive: Buffer;
}

export interface Registry {
  readonly address: string;
  /** Decides what every request gets; `serve` unless told. */
  answer: (response: ServerResponse, path: string) => void;
  /** Answers as a registry does. */
  readonly serve: (response: ServerResponse, path: string) => void;
  dispose(): Promise<void>;
}

export async function startRegistry(packages: Readonly<Record<string, PublishedPackage>>): Promise<Registry> {
  const server = createServer((request, response) => registry.answer(response, request.url ?? ''));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The registry has no port.');
  const address = `http://127.0.0.1:${bound.port}`;
  const serve = (response: ServerResponse, path: string) => {
    const name = path.slice(1).replace(/\.tgz$/, '');
    const found = packages[name];
    if (found === undefined) response.writeHead(404).end('{}');
    else if (path.endsWith('.tgz')) response.end(found.archive);
    else response.end(JSON.stringify(describe(name, found, `${address}/${name}.tgz`)));
  };
  const registry: Registry = {
    address,
    answer: serve,
    serve,
    async dispose() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
  return registry;
}

/** @param files contents by path inside the package */
export async function packArchive(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'folio-archive-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, 'package', path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    await promisify(execFile)('tar', ['-czf', 'archive.tgz', 'package'], { cwd: folder });
    return await readFile(join(folder, 'archive.tgz'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function describe(name: string, { version, archive }: PublishedPackage, tarball: string): object {
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  const manifest = { name, version, dist: { tarball, integrity } };
  return { name, 'dist-tags': { latest: version }, versions: { [version]: manifest } };
}
