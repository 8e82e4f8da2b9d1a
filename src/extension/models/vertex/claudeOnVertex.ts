/*
 * Claude's models in a project at Google Cloud: Anthropic's Messages at an address that names the model, let in by
 * Google's credentials. Anthropic's own package for this would bring a second way of finding those.
 */

import { t } from '../../../protocol/language.ts';
import type { ModelProvider } from '../../core/model.ts';
import { abilitiesByName } from '../anthropic/abilitiesByName.ts';
import { createMessagesProvider, messagesService } from '../anthropic/anthropicProvider.ts';
import type { Service } from '../wire/service.ts';
import type { GoogleCredentials } from './googleCredentials.ts';
import { addressOf, findPlace, type VertexConnection } from './vertexPlace.ts';
import { vertexWords } from './vertexWords.ts';

const service: Service = {
  ...messagesService,
  ownAddress: 'https://aiplatform.googleapis.com',
  setting: vertexWords.setting,
  variable: vertexWords.variable,
  nameOf: () => vertexWords.name,
  missingKey: () => vertexWords.missing,
  rejected: () => vertexWords.rejected(''),
  keptHeaders: ['accept', 'content-type'],
  keyHeader: token => ['authorization', `Bearer ${token}`],
  api: () => t("model of Anthropic's"),
  excess: /\/v1(beta1?)?(\/(projects|publishers).*)?$/,
};

export function isClaude(model: string): boolean {
  return model.startsWith('claude-');
}

export function createClaudeOnVertex(
  connection: VertexConnection,
  credentials: GoogleCredentials,
): ModelProvider {
  const { newId, cacheLifetime, transport, clock } = connection;
  return createMessagesProvider({
    service,
    connection: {
      apiKey: async () => (await credentials.read(findPlace(connection).project)).token,
      baseUrl: () => publisherAddress(connection),
      newId,
      cacheLifetime,
      transport,
      clock,
    },
    // The address names the model, and the body the version, which Anthropic itself has in a header.
    send: ({ model, ...body }) => ({
      path: `/${model}:streamRawPredict`,
      body: { ...body, anthropic_version: 'vertex-2023-10-16' },
    }),
    abilities: abilitiesByName,
    refused: () => credentials.forget(),
  });
}

/** The setting must name a region that runs the model, or `global`. */
function publisherAddress(connection: VertexConnection): string {
  const place = findPlace(connection);
  const { project, location } = place;
  return `${addressOf(place, connection)}/v1/projects/${project}/locations/${location}/publishers/anthropic/models`;
}
