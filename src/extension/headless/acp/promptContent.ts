/* Converts the content of a prompt to Folio's format. */

import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContentBlock, EmbeddedResource, ResourceLink } from '@agentclientprotocol/sdk';
import type { Attachment } from '../../../protocol/intentions.ts';
import { folderContains } from '../../core/folderPaths.ts';
import { formatMention } from '../../core/mentions/formatMention.ts';

interface PromptContent {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** Messages about content that cannot be used. */
  readonly problems: readonly string[];
}

/** Converts links to files to mentions in the prompt's text, so that Folio handles them like typed ones. */
export function promptContent(blocks: readonly ContentBlock[], cwd: string): PromptContent {
  const texts: string[] = [];
  const attachments: Attachment[] = [];
  const problems: string[] = [];
  for (const block of blocks) {
    switch (block.type) {
      case 'text':
        texts.push(block.text);
        break;
      case 'image': {
        const { mimeType, data, uri } = block;
        const name = nameOf(uri ?? '') || `image ${attachments.length + 1}`;
        attachments.push({ kind: 'image', name, blob: { mimeType, data } });
        break;
      }
      case 'resource_link':
        texts.push(mentionOf(block, cwd));
        break;
      case 'resource': {
        const taken = attachmentOf(block, cwd);
        if (typeof taken === 'string') problems.push(taken);
        else attachments.push(taken);
        break;
      }
      case 'audio':
        problems.push('Audio cannot be read and was left out. Send its words.');
    }
  }
  return { text: texts.join(''), attachments, problems };
}

function mentionOf({ uri, name }: ResourceLink, cwd: string): string {
  const place = placeOf(uri, cwd);
  return place.isFile ? formatMention(place.shown) : `[${name}](${uri})`;
}

function attachmentOf({ resource }: EmbeddedResource, cwd: string): Attachment | string {
  const { shown, startLine } = placeOf(resource.uri, cwd);
  if ('text' in resource) {
    const { text } = resource;
    const endLine = startLine + text.replace(/\n$/, '').split('\n').length - 1;
    return { kind: 'selection', path: shown, startLine, endLine, text };
  }
  const mimeType = resource.mimeType ?? '';
  if (!/^image\/|^application\/pdf$/.test(mimeType))
    return `${shown} was left out: Folio reads no ${mimeType || 'bytes of an unknown kind'}. Send it as text.`;
  return { kind: 'image', name: nameOf(resource.uri) || shown, blob: { mimeType, data: resource.blob } };
}

interface Place {
  /** Relative to the folder if it is below it. */
  readonly shown: string;
  readonly startLine: number;
  readonly isFile: boolean;
}

/** Supports line fragments: `#L10`, `#L10:20`, `#L10-L20`. */
function placeOf(uri: string, cwd: string): Place {
  const url = URL.parse(uri);
  const startLine = Number(/^#L(\d+)/.exec(url?.hash ?? '')?.[1] ?? 1);
  if (url?.protocol !== 'file:') return { shown: uri, startLine, isFile: false };
  const path = pathOf(url);
  if (path === undefined) return { shown: uri, startLine, isFile: false };
  const shown = folderContains(cwd, path) ? relative(cwd, path).split(sep).join('/') : path;
  return { shown: shown === '' ? '.' : shown, startLine, isFile: true };
}

/** Returns `undefined` for an address on another machine. */
function pathOf(url: URL): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    // Node rejects the URL, so it is no path.
    return undefined;
  }
}

function nameOf(uri: string): string {
  const path = URL.parse(uri)?.pathname ?? uri;
  try {
    return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
  } catch {
    // Contains a literal percent sign, so use the name unchanged.
    return path.slice(path.lastIndexOf('/') + 1);
  }
}
