import type { Part } from '../../../protocol/events.ts';
import { t } from '../../../protocol/language.ts';
import { mediaLimitMb } from '../../../protocol/mediaLimit.ts';
import type { Mention } from '../../../protocol/mentions.ts';
import { fenced, headOf } from '../../base/text.ts';
import { type UntrustedTag, wrapUntrusted } from '../../base/untrusted.ts';
import type { ContentPiece, MentionContent } from './sources.ts';

export interface PromptSpace {
  readonly characters: number;
  readonly bytes: number;
}

interface Fitted {
  readonly parts: readonly Part[];
  readonly left: PromptSpace;
  readonly outcome: Mention['outcome'];
  readonly detail: string;
}

/** A shorter rest would be useless. */
const leastCharacters = 200;

/** Keeps as much content as fits, with each piece labelled and fenced. */
export function cutToFit(reading: MentionContent, room: PromptSpace): Fitted {
  const { detail } = reading;
  if (!('pieces' in reading)) return { parts: [], left: room, outcome: reading.outcome, detail };
  let left = room;
  let cut = false;
  const parts: Part[] = [];
  for (const piece of reading.pieces) {
    const fitted = fitPiece(piece, left);
    left = fitted.left;
    parts.push(...fitted.parts);
    cut ||= fitted.cut;
  }
  if (!cut) return { parts, left, outcome: reading.outcome, detail };
  if (parts.length === 0)
    return {
      parts,
      left,
      outcome: 'failed',
      detail: t(
        'Not sent: mentions can have up to 200,000 characters and {0} MB of media in total',
        mediaLimitMb,
      ),
    };
  return {
    parts,
    left,
    outcome: 'cut',
    detail: t(
      '{0}, shortened: mentions can have up to 200,000 characters and {1} MB of media in total',
      detail,
      mediaLimitMb,
    ),
  };
}

interface FittedPiece {
  readonly parts: readonly Part[];
  readonly left: PromptSpace;
  readonly cut: boolean;
}

function fitPiece(piece: ContentPiece, room: PromptSpace): FittedPiece {
  if (piece.kind === 'media') {
    if (piece.bytes > room.bytes) return { parts: [], left: room, cut: true };
    const parts: Part[] = [
      { kind: 'text', text: `${piece.heading}:` },
      { kind: 'blob', blob: piece.blob },
    ];
    return { parts, left: { ...room, bytes: room.bytes - piece.bytes }, cut: false };
  }
  const whole = piece.text.length <= room.characters;
  if (!whole && room.characters < leastCharacters) return { parts: [], left: room, cut: true };
  const text = whole ? piece.text : wholeLines(headOf(piece.text, room.characters));
  const heading = whole ? `${piece.heading}:` : `${piece.heading}, only its beginning:`;
  const body = `${heading}\n${wrapped(piece.wrap, text)}`;
  return {
    parts: [{ kind: 'text', text: body }],
    left: { ...room, characters: room.characters - text.length },
    cut: !whole,
  };
}

function wholeLines(text: string): string {
  const end = text.lastIndexOf('\n');
  return end > text.length / 2 ? text.slice(0, end) : text;
}

/** External text may contain instructions, so it is wrapped in tags that the system prompt explains. */
function wrapped(wrap: 'ticks' | UntrustedTag, text: string): string {
  return wrap === 'ticks' ? fenced(text) : wrapUntrusted(wrap, text);
}
