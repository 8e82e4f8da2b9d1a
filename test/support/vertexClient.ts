/* The provider of Vertex AI with the real client and Google's own library for credentials. */

import type { ModelProvider } from '../../src/extension/core/model.ts';
import type { VertexConnection } from '../../src/extension/models/vertex/vertexEndpoint.ts';
import { createVertexProvider } from '../../src/extension/models/vertex/vertexProvider.ts';
import { NodeTransport } from '../../src/extension/node/http/nodeTransport.ts';
import type { VertexPlace } from './vertexWire.ts';

export const place: VertexPlace = { project: 'a-project', location: 'europe-west1' };

export function vertexAt(baseUrl: string, more: Partial<VertexConnection> = {}): ModelProvider {
  let ids = 0;
  return createVertexProvider({
    project: () => place.project,
    location: () => place.location,
    baseUrl: () => baseUrl,
    transport: new NodeTransport(),
    newId: () => `call-${++ids}`,
    cacheLifetime: () => '5m',
    ...more,
  });
}

/** What of the environment Google's library checks. */
const variables = [
  'GOOGLE_APPLICATION_CREDENTIALS',
  'CLOUDSDK_CONFIG',
  'GCE_METADATA_HOST',
  'METADATA_SERVER_DETECTION',
] as const;

/** Only these are there until the returned function is called; without a metadata server unless one is named. */
export function useCredentials(given: Partial<Record<(typeof variables)[number], string>>): () => void {
  const before = variables.map(name => [name, process.env[name]] as const);
  write('CLOUDSDK_CONFIG', 'a folder that is nowhere');
  write('METADATA_SERVER_DETECTION', 'none');
  write('GOOGLE_APPLICATION_CREDENTIALS', undefined);
  write('GCE_METADATA_HOST', undefined);
  for (const name of variables) if (given[name] !== undefined) write(name, given[name]);
  return () => {
    for (const [name, value] of before) write(name, value);
  };
}

function write(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
