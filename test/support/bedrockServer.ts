/*
 * A scripted Bedrock server for Claude models: rules of Anthropic's Messages, signatures or Bedrock API keys, and
 * answers as AWS event stream frames.
 */

import { crc32 } from 'node:zlib';
import type { MessagesStep } from './anthropicAnswers.ts';
import { findMessagesFault, type MessagesBody } from './anthropicRequestRules.ts';
import { type AnthropicServer, anthropicModels, playSteps, withOthers } from './anthropicServer.ts';
import { type AwsKeys, isSigned } from './awsSignature.ts';
import { type RawStep, type ScriptedRefusal, startScriptedServer } from './scriptedServer.ts';

export interface BedrockRules {
  readonly region: string;
  readonly keys?: AwsKeys;
  readonly apiKey?: string;
  /** Id of the only model; below, the Anthropic model that it is. */
  readonly model: string;
  readonly like: keyof typeof anthropicModels;
  /** Listed inference profiles. Absent: listing is forbidden. */
  readonly profiles?: readonly { readonly id: string; readonly name: string }[];
}

interface BedrockBody extends MessagesBody {
  readonly anthropic_version?: string;
}

export function startBedrockServer(rules: BedrockRules): Promise<AnthropicServer> {
  const { region, keys, apiKey, model, like, profiles } = rules;
  const models = { ...withOthers(anthropicModels, like), [model]: anthropicModels[like]! };
  return startScriptedServer<MessagesStep, BedrockBody>({
    route: `POST /model/${encodeURIComponent(model)}/invoke-with-response-stream`,
    contentType: 'application/vnd.amazon.eventstream',
    isLetIn: (headers, request) =>
      headers.authorization === `Bearer ${apiKey ?? 'nobody has it'}` ||
      (keys !== undefined && isSigned(request, headers, keys, region)),
    wrongKey: () => bedrockRefusal(403, 'The security token included in the request is invalid.'),
    models: route => (profiles && /^GET \/inference-profiles\?/.test(route) ? listOf(profiles) : undefined),
    findFault: ({ anthropic_version: version, ...body }) => {
      if (version !== 'bedrock-2023-05-31') return 'anthropic_version: Field required';
      for (const member of ['model', 'stream'] as const)
        if (body[member as keyof typeof body] !== undefined)
          return `${member}: Extra inputs are not permitted`;
      return findMessagesFault(
        { ...body, model, stream: true },
        { 'anthropic-version': '2023-06-01' },
        models,
      );
    },
    refusal: (status, message) =>
      bedrockRefusal(status, status === 404 ? 'The provided model identifier is invalid.' : message),
    play: steps => playSteps(steps).map(framed),
  });
}

/** Returns an error in the format of the service. */
export function bedrockRefusal(status: number, message: string): ScriptedRefusal {
  return { kind: 'json', status, body: { message } };
}

/** Returns an exception frame, which Bedrock sends for an error during an answer. */
export function exception(type: string, message: string): RawStep {
  const headers = {
    ':message-type': 'exception',
    ':exception-type': type,
    ':content-type': 'application/json',
  };
  return { kind: 'bytes', bytes: frame(headers, JSON.stringify({ message })) };
}

function listOf(profiles: NonNullable<BedrockRules['profiles']>) {
  return {
    inferenceProfileSummaries: profiles.map(({ id, name }) => ({
      inferenceProfileId: id,
      inferenceProfileName: name,
      status: 'ACTIVE',
      type: 'SYSTEM_DEFINED',
    })),
  };
}

/** Puts each event into its own frame. */
function framed(step: RawStep): RawStep {
  if (step.kind === 'events') return { kind: 'bytes', bytes: framesOf(step.text) };
  if (step.kind === 'torn') return { kind: 'torn', bytes: framesOf(new TextDecoder().decode(step.bytes)) };
  return step;
}

function framesOf(events: string): Uint8Array {
  return Buffer.concat(
    [...events.matchAll(/^data: (.+)$/gm)].map(([, json = '']) => {
      const headers = {
        ':event-type': 'chunk',
        ':content-type': 'application/json',
        ':message-type': 'event',
      };
      return frame(headers, JSON.stringify({ bytes: Buffer.from(json).toString('base64'), p: 'abcd' }));
    }),
  );
}

/** Encodes a frame: lengths, their checksum, headers, body, checksum of all. */
function frame(headers: Readonly<Record<string, string>>, body: string): Buffer {
  const fields = Buffer.concat(
    Object.entries(headers).map(([name, value]) =>
      Buffer.concat([
        Buffer.of(name.length),
        Buffer.from(name),
        Buffer.of(7, 0, value.length),
        Buffer.from(value),
      ]),
    ),
  );
  const payload = Buffer.from(body);
  const lengths = Buffer.concat([number(fields.length + payload.length + 16), number(fields.length)]);
  const before = Buffer.concat([lengths, number(crc32(lengths)), fields, payload]);
  return Buffer.concat([before, number(crc32(before))]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
