import {
  type CancellationToken,
  type ChatRequest,
  type ChatResponseStream,
  type ChatResult,
  FileType,
  Location,
  MarkdownString,
  Uri,
  workspace,
} from 'vscode';
import type { Attachment } from '../../../protocol/intentions.ts';
import { t } from '../../../protocol/language.ts';
import { escapeInvisibleText } from '../../base/hiddenText.ts';
import { fenced, headOf } from '../../base/text.ts';
import { formatMention } from '../../core/mentions/formatMention.ts';
import { attachRange, codeLimit, fileAttachment, pathOf } from '../features/entryPoints/pointedCode.ts';
import type { PromptSender } from '../features/entryPoints/promptSender.ts';
import type { OpenSessions } from '../openSessions.ts';
import type { ChatAnswerWriter, SessionLink } from './chatAnswerWriter.ts';
import { TurnRelay } from './turnRelay.ts';

const leftOut = () => t('Only files and code were sent. Add pictures and other content in Folio’s panel.');
const placeCommand = 'folio.showPlace';

/** Answers a request of VS Code's chat with the output of its prompt in the panel's session. */
export async function answerChat(
  request: Pick<ChatRequest, 'prompt' | 'references'>,
  stream: ChatResponseStream,
  token: CancellationToken,
  door: Pick<PromptSender, 'send'>,
  opened: Pick<OpenSessions, 'onEvent' | 'onAgentEvent'>,
): Promise<ChatResult> {
  const values = request.references.map(({ value }) => value);
  const { text, attachments, left } = await resolveReferences(request.prompt, values);
  const page = new StreamPage(stream);
  if (text === '') {
    page.say(t('Type after @folio what it should do.'));
    return {};
  }
  if (left > 0) page.say(leftOut());
  const abort = new AbortController();
  const subscription = token.onCancellationRequested(() => abort.abort());
  const relay = new TurnRelay(opened, page, text, abort.signal);
  const end = await relay
    .relay(() => door.send(text, attachments, 'next'))
    .finally(() => subscription.dispose());
  return end.kind === 'failed' ? { errorDetails: { message: end.sentence } } : {};
}

class StreamPage implements ChatAnswerWriter {
  private readonly stream: ChatResponseStream;

  constructor(stream: ChatResponseStream) {
    this.stream = stream;
  }

  write(markdown: string): void {
    this.stream.markdown(markdown);
  }

  say(sentence: string): void {
    this.stream.markdown(
      new MarkdownString('\n\n').appendText(escapeInvisibleText(sentence)).appendMarkdown('\n\n'),
    );
  }

  head(title: string, target: SessionLink): void {
    const heading = new MarkdownString('\n\n### [').appendText(escapeInvisibleText(title));
    const address = `command:${placeCommand}?${encodeURIComponent(JSON.stringify([target]))}`;
    heading.appendMarkdown(`](${address})\n\n`);
    heading.isTrusted = { enabledCommands: [placeCommand] };
    this.stream.markdown(heading);
  }

  lead(label: string, target: SessionLink): void {
    this.stream.button({ title: label, command: placeCommand, arguments: [target] });
  }

  reportProgress(work: string): void {
    this.stream.progress(escapeInvisibleText(work));
  }

  showChanged(path: string): void {
    this.stream.reference(Uri.file(path));
  }
}

/** A Folio prompt with the references of a chat request. */
interface Referred {
  /** The prompt, followed by referenced folders and texts. */
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** Number of unsupported references, such as pictures. */
  readonly left: number;
}

/** @param values of the references, in the order of the request */
async function resolveReferences(prompt: string, values: readonly unknown[]): Promise<Referred> {
  const attachments: Attachment[] = [];
  const behind: string[] = [];
  let left = 0;
  // The request lists the last reference first.
  for (const value of values.toReversed()) {
    if (value instanceof Location)
      attachments.push(attachRange(await workspace.openTextDocument(value.uri), value.range));
    else if (value instanceof Uri && (await isFolder(value))) behind.push(formatMention(`${pathOf(value)}/`));
    else if (value instanceof Uri) attachments.push(fileAttachment(value));
    else if (typeof value === 'string') behind.push(fenced(headOf(value, codeLimit)));
    else left++;
  }
  return { text: [prompt, ...behind].join('\n\n').trim(), attachments, left };
}

async function isFolder(uri: Uri): Promise<boolean> {
  try {
    return ((await workspace.fs.stat(uri)).type & FileType.Directory) !== 0;
  } catch {
    // Reading it reports why it cannot be read.
    return false;
  }
}
