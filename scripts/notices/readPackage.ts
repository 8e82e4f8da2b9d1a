import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression of the package; empty if none. */
  readonly licence: string;
  readonly homepage?: string;
  /** Texts of licence and notice files. */
  readonly texts: readonly string[];
}

/**
 * Sources of licence texts for packages without one. Some are parts of the toolkit, under its licence and copyright;
 * Amazon's share the licence of their repository; another one has its text in its repository.
 */
const textsElsewhere: Readonly<Record<string, string>> = {
  '@aws-sdk/credential-provider-http': 'node_modules/@aws-sdk/credential-provider-node',
  '@aws-sdk/credential-provider-login': 'node_modules/@aws-sdk/credential-provider-node',
  '@aws-sdk/nested-clients': 'node_modules/@aws-sdk/credential-provider-node',
  '@microsoft/fast-element': 'node_modules/@vscode/webview-ui-toolkit',
  '@microsoft/fast-foundation': 'node_modules/@vscode/webview-ui-toolkit',
  '@microsoft/fast-web-utilities': 'node_modules/@vscode/webview-ui-toolkit',
  standardwebhooks: 'scripts/notices/texts/standardwebhooks',
};

export async function readPackage(root: string, folder: string): Promise<BundledPackage> {
  const manifest = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
  const { name, version, license, homepage } = manifest;
  const textFolder = textsElsewhere[name];
  const texts = await readTexts(join(root, textFolder ?? folder));
  const licence = typeof license === 'string' ? license : '';
  return { name, version, licence, homepage: typeof homepage === 'string' ? homepage : undefined, texts };
}

async function readTexts(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter(name => /^(licen[cs]e|copying|notice)/i.test(name)).toSorted();
  const texts = await Promise.all(names.map(name => readFile(join(folder, name), 'utf8')));
  return texts.length > 0 ? texts.map(tidy) : await readSection(folder);
}

/** Reads the licence at the end of the README, where some packages have it. */
async function readSection(folder: string): Promise<readonly string[]> {
  const readme = await readFile(join(folder, 'README.md'), 'utf8').catch(() => '');
  const section = /^(?:#+ )?Licen[cs]e *\n(?:-+\n)?(.*)/ims.exec(readme)?.[1] ?? '';
  return /permission is hereby granted/i.test(section) ? [tidy(section)] : [];
}

function tidy(text: string): string {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .split('\n');
  return lines
    .map(line => line.trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/g, '');
}
