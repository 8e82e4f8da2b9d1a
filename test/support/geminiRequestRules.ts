/*
 * Rules of the Gemini service that an agent can break: order of roles, results for all calls, no empty parts, valid
 * declarations. Each fault is a sentence with its place.
 */

import type { WireContent, WirePart } from '../../src/extension/rehearsal/wire.ts';
import type { WireRequest } from '../../src/extension/rehearsal/wireServer.ts';
import { findChoiceFault, findToolFault, firstFault, isObject } from './geminiToolRules.ts';
import { findGeminiPictureFault, type SentPicture } from './pictureRules.ts';

/** Returns the fault of a request; `undefined` if valid. */
export function findRequestFault({ method, model, body }: WireRequest): string | undefined {
  if (method === 'models') return undefined;
  const known = [
    'contents',
    'systemInstruction',
    'tools',
    'toolConfig',
    'generationConfig',
    'safetySettings',
  ];
  const unknown = Object.keys(body).find(key => !known.includes(key));
  if (unknown) return `Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`;
  const contents = body.contents ?? [];
  return (
    findSystemFault(body.systemInstruction) ??
    findTurnFault(contents) ??
    firstFault(contents, (content, at) => findContentFault(content, `contents[${at}]`)) ??
    findPairFault(contents) ??
    findGeminiPictureFault(contents.flatMap(picturesOf), JSON.stringify(body).length) ??
    (/^gemini-3/.test(model) ? findSignatureFault(contents) : undefined) ??
    findThinkingFault(model, body.generationConfig?.thinkingConfig) ??
    findToolFault(body.tools) ??
    findChoiceFault(body)
  );
}

function picturesOf({ parts = [] }: WireContent): readonly SentPicture[] {
  const all = parts.flatMap(part => [part, ...(part.functionResponse?.parts ?? [])]);
  return all.flatMap(({ inlineData: { mimeType = '', data = '' } = {} }) =>
    mimeType.startsWith('image/') ? [{ place: '', mimeType, data }] : [],
  );
}

function findSystemFault(system: WireContent | undefined): string | undefined {
  if (system === undefined) return undefined;
  const parts = system.parts ?? [];
  if (parts.length === 0) return 'systemInstruction must have parts.';
  const bad = parts.findIndex(part => !part.text || Object.keys(part).length > 1);
  return bad < 0 ? undefined : `systemInstruction.parts[${bad}] must be a text that is not empty.`;
}

function findTurnFault(contents: readonly WireContent[]): string | undefined {
  if (contents.length === 0) return 'contents is not specified.';
  return (
    firstFault(contents, ({ role }, at) => {
      if (role !== 'user' && role !== 'model')
        return `contents[${at}].role must be user or model, not ${role}.`;
      if (at === 0 && role !== 'user') return "contents[0].role must be user: the first turn is the user's.";
      if (role === contents[at - 1]?.role) return `contents[${at}].role is ${role} twice in a row.`;
      return undefined;
    }) ?? (contents.at(-1)?.role === 'user' ? undefined : 'The last turn of contents must be from the user.')
  );
}

function findContentFault({ role, parts = [] }: WireContent, place: string): string | undefined {
  if (parts.length === 0) return `${place}.parts must not be empty.`;
  return firstFault(parts, (part, at) => {
    const here = `${place}.parts[${at}]`;
    if (part.functionCall && role !== 'model')
      return `${here}: a function call must be in a turn of the model.`;
    if (part.functionResponse && role !== 'user')
      return `${here}: a function response must be in a turn of the user.`;
    return findPartFault(part, here);
  });
}

function findPartFault(part: WirePart, place: string): string | undefined {
  const { text, thought, thoughtSignature, ...data } = part;
  const kinds = [...Object.keys(data), ...(text === undefined ? [] : ['text'])];
  if (kinds.length === 0)
    return `${place}.data: required oneof field 'data' must have one initialized field.`;
  if (kinds.length > 1) return `${place}: oneof field 'data' is already set (${kinds.join(', ')}).`;
  if (text === '' && !thoughtSignature) return `${place}.text must not be empty.`;
  if (thought !== undefined && typeof thought !== 'boolean') return `${place}.thought must be a boolean.`;
  if (thoughtSignature !== undefined && !isBase64(thoughtSignature)) {
    return `${place}.thoughtSignature: Base64 decoding failed.`;
  }
  if (text !== undefined) return undefined;
  if (part.functionCall) return findCallFault(part.functionCall, `${place}.functionCall`);
  if (part.functionResponse) return findResponseFault(part.functionResponse, `${place}.functionResponse`);
  if (part.inlineData) return findBlobFault(part.inlineData, `${place}.inlineData`);
  return `${place}: Unknown name "${kinds[0]}": Cannot find field.`;
}

function findCallFault(call: NonNullable<WirePart['functionCall']>, place: string): string | undefined {
  if (!call.name) return `${place}.name: [REQUIRED_FIELD_MISSING]`;
  return call.args === undefined || isObject(call.args) ? undefined : `${place}.args must be an object.`;
}

function findResponseFault(
  response: NonNullable<WirePart['functionResponse']>,
  place: string,
): string | undefined {
  if (!response.name) return `${place}.name: [REQUIRED_FIELD_MISSING]`;
  if (!isObject(response.response)) return `${place}.response must be an object.`;
  return firstFault(response.parts ?? [], (part, at) =>
    part.inlineData
      ? findBlobFault(part.inlineData, `${place}.parts[${at}]`)
      : `${place}.parts[${at}] must be inlineData.`,
  );
}

function findBlobFault(
  { mimeType, data }: NonNullable<WirePart['inlineData']>,
  place: string,
): string | undefined {
  if (!mimeType || !/^[\w.+-]+\/[\w.+-]+/.test(mimeType)) return `${place}.mimeType is not a MIME type.`;
  return data && isBase64(data) ? undefined : `${place}.data: Base64 decoding failed.`;
}

/** Checks that the next turn answers all calls, with the same names and ids. */
function findPairFault(contents: readonly WireContent[]): string | undefined {
  return firstFault(contents, (content, at) => {
    if (content.role !== 'user') return undefined;
    const calls = (contents[at - 1]?.parts ?? []).flatMap(part => part.functionCall ?? []);
    const responses = (content.parts ?? []).flatMap(part => part.functionResponse ?? []);
    if (calls.length === 0 && responses.length > 0) {
      return `contents[${at}]: a function response turn must come immediately after a function call turn.`;
    }
    if (calls.length !== responses.length) {
      return `contents[${at}]: ${responses.length} function response parts for ${calls.length} function call parts of the turn before.`;
    }
    const open = calls.map(({ id, name }) => `${name}#${id ?? ''}`);
    for (const { id, name } of responses) {
      const found = open.indexOf(`${name}#${id ?? ''}`);
      if (found < 0)
        return `contents[${at}]: the function response ${name} (id ${id}) answers no call of the turn before.`;
      open.splice(found, 1);
    }
    return undefined;
  });
}

/** Checks that, from generation 3 on, the first call of each turn since the last prompt has a signature. */
function findSignatureFault(contents: readonly WireContent[]): string | undefined {
  const prompt = contents.findLastIndex(
    ({ role, parts }) => role === 'user' && !parts?.some(part => part.functionResponse),
  );
  return firstFault(contents, ({ parts = [] }, at) => {
    const call = at > prompt ? parts.find(part => part.functionCall) : undefined;
    if (!call || call.thoughtSignature) return undefined;
    return `contents[${at}]: the function call ${call.functionCall?.name} is missing a thought_signature.`;
  });
}

/** Checks thinking: generation 3 uses levels, which differ by model, generation 2.5 uses budgets. */
function findThinkingFault(model: string, config: unknown): string | undefined {
  const { thinkingLevel: level, thinkingBudget: budget } = isObject(config) ? config : {};
  if (level !== undefined && budget !== undefined)
    return 'You can only set only one of thinking budget and thinking level.';
  const known = /^gemini-3-pro/.test(model) ? /^(LOW|HIGH)$/ : /^(MINIMAL|LOW|MEDIUM|HIGH)$/;
  if (level !== undefined && !(/^gemini-3/.test(model) && known.test(String(level))))
    return `Thinking level ${level} is not supported for this model.`;
  const most = model.includes('pro') ? 32_768 : 24_576;
  return budget !== undefined && !(/^gemini-2\.5/.test(model) && Number(budget) <= most)
    ? `The thinking budget ${budget} is invalid.`
    : undefined;
}

/** Both alphabets are accepted, with padding or without. */
function isBase64(text: string): boolean {
  return text !== '' && !/[^\w+/-]/.test(text.replace(/={1,2}$/, ''));
}
