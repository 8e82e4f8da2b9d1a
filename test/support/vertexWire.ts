/* Differences of Vertex AI from the Gemini API: paths, authorization and list of models. */

import type { IncomingHttpHeaders } from 'node:http';
import {
  type FindRoute,
  isWireMethod,
  type WireAnswer,
  wireError,
} from '../../src/extension/rehearsal/wireServer.ts';

export interface VertexPlace {
  readonly project: string;
  readonly location: string;
}

/** Models are asked below the project and location, and listed for all. */
export function findVertexRoute({ project, location }: VertexPlace): FindRoute {
  const prefix = `/v1beta1/projects/${project}/locations/${location}/publishers/google/models/`;
  return pathname => {
    if (pathname === '/v1beta1/publishers/google/models') return { method: 'models', model: '' };
    if (!pathname.startsWith(prefix)) return undefined;
    const [, model = '', method = ''] = /^([^/:]+):(\w+)$/.exec(pathname.slice(prefix.length)) ?? [];
    return isWireMethod(method) ? { method, model: decodeURIComponent(model) } : undefined;
  };
}

export function refuseToken(headers: IncomingHttpHeaders, token: string): WireAnswer | undefined {
  if ('x-goog-api-key' in headers) {
    return wireError(400, 'INVALID_ARGUMENT', 'A key and a token cannot be sent together.');
  }
  if (headers.authorization === `Bearer ${token}`) return undefined;
  const given = headers.authorization ?? 'none';
  return wireError(401, 'UNAUTHENTICATED', `Request had invalid authentication credentials: ${given}.`);
}

export function publisherModels(ids: readonly string[]): WireAnswer {
  const entries = ids.map(id => ({ name: `publishers/google/models/${id}`, versionId: 'default' }));
  return { kind: 'json', status: 200, body: { publisherModels: entries } };
}
