import type { Blob, Part, Usage } from '../../../protocol/events.ts';
import { languageTag, t } from '../../../protocol/language.ts';
import { maskSecrets } from '../../base/maskSecrets.ts';
import { fenced, formatBytes, oneLine } from '../../base/text.ts';
import { isSigned } from '../history/signatures.ts';
import type { ModelRequest, ToolDeclaration } from '../model.ts';

/** Facts about a request that it does not contain. */
export interface RequestMetadata {
  /** Time of sending, in milliseconds since the Unix epoch. */
  readonly at?: number;
  /** The provider's count; absent without an answer. */
  readonly usage?: Usage;
}

/** Formats a request for users as Markdown: everything sent, with secrets masked. */
export function describeRequest(request: ModelRequest, sent: RequestMetadata): string {
  const { system, tools, messages, footer } = request;
  const parts = [
    `# ${t('What was sent')}`,
    facts(request, sent).join('\n'),
    `## ${t('System prompt')}`,
    system === '' ? t('None.') : fenced(system),
    `## ${t('Tools ({0})', tools.length)}`,
    ...(tools.length === 0 ? [t('None.')] : tools.flatMap(describeTool)),
    `## ${t('Messages ({0})', messages.length)}`,
    ...messages.flatMap(({ role, parts: said }, index) => [
      `### ${index + 1}. ${role === 'user' ? t('User') : t('Model')}`,
      ...said.flatMap(describePart),
    ]),
    ...(footer === undefined ? [] : [`## ${t('At the end')}`, fenced(footer)]),
  ];
  return `${maskSecrets(parts.join('\n\n'))}\n`;
}

function facts({ model, temperature, builtIn }: ModelRequest, { at, usage }: RequestMetadata): string[] {
  const lines = [`- ${t('Model: {0}', model)}`];
  if (at !== undefined) lines.push(`- ${t('Sent: {0}', new Date(at).toLocaleString(languageTag()))}`);
  if (temperature !== undefined) lines.push(`- ${t('Temperature: {0}', temperature)}`);
  if (builtIn !== undefined) lines.push(`- ${t('Done by the provider itself: {0}', builtIn)}`);
  lines.push(`- ${usage ? describeUsage(usage) : t('Tokens: not counted by the provider')}`);
  lines.push(`- ${t('Known keys, tokens and passwords are masked here. The model got them as they are.')}`);
  return lines;
}

function describeUsage({ prompt, cached, output, thoughts }: Usage): string {
  return t(
    'Tokens: {0} in the request, {1} of them from the cache; {2} in the answer, {3} in thoughts',
    prompt,
    cached,
    output,
    thoughts,
  );
}

function describeTool({ name, description, parameters }: ToolDeclaration): string[] {
  return [
    `### ${plain(name)}`,
    fenced(description),
    fenced(JSON.stringify(parameters, undefined, 2), 'json'),
  ];
}

function describePart(part: Part): string[] {
  switch (part.kind) {
    case 'text':
      return [t('Text:'), fenced(part.text)];
    case 'thought':
      return [
        isSigned(part) ? t('Thought:') : t('Thought (unsigned, so it is not sent):'),
        fenced(part.text),
      ];
    case 'call':
      return [t('Call of {0}:', label(part)), fenced(JSON.stringify(part.args, undefined, 2), 'json')];
    case 'result': {
      const heading = part.ok ? t('Result of {0}:', label(part)) : t('Result of {0}, failed:', label(part));
      return [heading, fenced(part.text), ...(part.blobs ?? []).map(describeBlob)];
    }
    case 'blob':
      return [describeBlob(part.blob)];
  }
}

function describeBlob({ mimeType, data }: Blob): string {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return t('Content of type {0}, {1}.', plain(mimeType), formatBytes((data.length / 4) * 3 - padding));
}

function label({ name, id }: { readonly name: string; readonly id: string }): string {
  return `\`${plain(name)}\` (${plain(id)})`;
}

/** Names come from models and servers, so they are kept on one line and inside backticks. */
function plain(name: string): string {
  return oneLine(name, 200).replaceAll('`', "'");
}
