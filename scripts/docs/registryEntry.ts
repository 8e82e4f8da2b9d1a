import { npmName } from '../npmPackage.ts';

interface Package {
  readonly displayName: string;
  readonly version: string;
  readonly license: string;
  readonly repository: { readonly url: string };
}

/** Returns Folio's entry in the ACP registry: `folio/agent.json` of agentclientprotocol/registry. */
export function registryEntry(packageJson: string, description: string): string {
  const { displayName, version, license, repository }: Package = JSON.parse(packageJson);
  const entry = {
    id: 'folio',
    name: displayName,
    version,
    description,
    repository: repository.url.replace(/\.git$/, ''),
    authors: ['The Folio authors'],
    license,
    distribution: { npx: { package: `${npmName}@${version}`, args: ['--acp'] } },
  };
  return `${JSON.stringify(entry, undefined, 2)}\n`;
}
