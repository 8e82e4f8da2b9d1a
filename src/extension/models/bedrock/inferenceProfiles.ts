/*
 * Lists Bedrock's inference profiles, which say in which regions a model may run. Their ids take the place of model
 * names.
 */

import { isRecord } from '../../base/record.ts';
import type { ModelInfo } from '../../core/model.ts';
import { abilitiesByName } from '../anthropic/abilitiesByName.ts';
import { effortsOf } from '../anthropic/modelList.ts';
import type { ModelService } from '../wire/service.ts';
import { WireExchange } from '../wire/wireExchange.ts';
import { type BedrockConnection, bedrockEndpoint } from './bedrockEndpoint.ts';
import { claudeNameOf, findBedrockContextLimit, knownBedrockModels } from './bedrockModels.ts';

export function listProfiles(
  service: ModelService,
  connection: BedrockConnection,
  signal: AbortSignal,
): Promise<readonly ModelInfo[]> {
  const address = () => bedrockEndpoint('bedrock', connection);
  const exchange = new WireExchange(service, { ...connection, baseUrl: address }, signal);
  return exchange.settleList(() => listAll(exchange), knownBedrockModels);
}

async function listAll(exchange: WireExchange): Promise<readonly ModelInfo[]> {
  const address = await exchange.open();
  const models: ModelInfo[] = [];
  let next: string | undefined;
  do {
    const query = new URLSearchParams({ maxResults: '1000', type: 'SYSTEM_DEFINED' });
    if (next !== undefined) query.set('nextToken', next);
    const response = await exchange.fetch(`${address}/inference-profiles?${query}`, {
      headers: [['accept', 'application/json']],
    });
    const page: unknown = await response.json();
    models.push(...profilesIn(page));
    next = isRecord(page) && typeof page.nextToken === 'string' ? page.nextToken : undefined;
  } while (next !== undefined);
  return models;
}

/** Returns the profiles of Claude's models, since no other model uses this protocol. */
function profilesIn(page: unknown): readonly ModelInfo[] {
  const entries =
    isRecord(page) && Array.isArray(page.inferenceProfileSummaries)
      ? page.inferenceProfileSummaries.filter(isRecord)
      : [];
  return entries.flatMap(({ inferenceProfileId: id, inferenceProfileName: name }) =>
    typeof id === 'string' && claudeNameOf(id) !== undefined
      ? [describe(id, typeof name === 'string' && name !== '' ? name : id)]
      : [],
  );
}

function describe(id: string, label: string): ModelInfo {
  const efforts = effortsOf(abilitiesByName(claudeNameOf(id) ?? id));
  return { id, label, contextLimit: findBedrockContextLimit(id), efforts };
}
