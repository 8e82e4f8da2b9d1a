/*
 * Adapts the pictures and files of a request to the service's limits (limits.ts): corrects a picture's type, scales it
 * down, or replaces it with a sentence. The history keeps the originals, so that another model may get more.
 */

import type { Blob, Message, Part } from '../../../protocol/events.ts';
import { isBase64 } from '../../../protocol/mediaLimit.ts';
import { formatBytes } from '../../base/text.ts';
import type { ProviderName } from '../../platform/settings.ts';
import { blobsOf } from '../wire/refusedPart.ts';
import { type MediaLimits, mediaLimits } from './limits.ts';
import { type PictureFacts, readPictureFacts } from './readPictureFacts.ts';

/** Makes a smaller copy. Resolves to `undefined` if it cannot. */
export type ScalePicture = (bytes: Buffer, facts: PictureFacts, goal: ScaleGoal) => Promise<Blob | undefined>;

export interface ScaleGoal {
  /** Pixels of the longer side. */
  readonly side: number;
  /** Length in Base64 characters. */
  readonly length: number;
}

/** Sent for a blob: the blob, a smaller copy, or a sentence. */
type Fitted = Blob | string;

interface Known {
  readonly facts: PictureFacts;
  readonly plain: Blob;
}

/**
 * Number of blobs dropped together when there are too many, so that the start of requests stays cacheable for longer.
 */
const leap = 5;

/** Caches results as long as blobs and messages live. */
export class MediaFitter {
  private readonly scale: ScalePicture;
  private readonly known = new WeakMap<Blob, Known>();
  private readonly scaled = new WeakMap<Blob, Map<string, Promise<Blob | undefined>>>();
  private readonly made = new WeakMap<
    Message,
    { readonly blobs: readonly Fitted[]; readonly message: Message }
  >();

  constructor(scale: ScalePicture) {
    this.scale = scale;
  }

  /** Returns the same messages if nothing has to change. Never rejects. */
  async fit(
    messages: readonly Message[],
    provider: ProviderName,
    model: string,
  ): Promise<readonly Message[]> {
    const limits = mediaLimits(provider, model);
    const blobs = messages.flatMap(blobsOf);
    const pictures = blobs.filter(isPicture);
    const side = pictures.length > limits.many ? limits.sideOfMany : limits.side;
    const excess = pictures.length - limits.count;
    const left = new Set(excess > 0 ? pictures.slice(0, Math.ceil(excess / leap) * leap) : []);
    const fitted = new Map<Blob, Fitted>();
    let room = limits.total;
    // Newest first, because the current work is about them.
    for (const blob of blobs.toReversed()) {
      const made =
        fitted.get(blob) ?? (left.has(blob) ? tooMany(blob, limits) : await this.fitBlob(blob, limits, side));
      const length = typeof made === 'string' ? 0 : made.data.length;
      fitted.set(blob, length > room ? noRoom(blob, limits) : made);
      if (length <= room) room -= length;
    }
    return messages.map(message => this.withFitted(message, fitted));
  }

  private async fitBlob(blob: Blob, limits: MediaLimits, side: number): Promise<Fitted> {
    if (!isPicture(blob)) return blob;
    const { facts, plain } = this.scan(blob);
    if (facts.kind === 'broken') return describe(blob, undefined, whyBroken[facts.why]);
    const isTaken = limits.types.includes(plain.mimeType);
    const isSmall = plain.data.length <= limits.pictureLength && longerSide(facts) <= side;
    if (isTaken && isSmall) return plain;
    const smaller = await this.scaledDown(plain, facts, { side, length: limits.pictureLength });
    if (smaller) return smaller;
    return describe(blob, facts, isTaken ? tooLarge(limits, side) : `the service takes no ${plain.mimeType}`);
  }

  private scan(blob: Blob): Known {
    const known = this.known.get(blob);
    if (known) return known;
    const bytes = Buffer.from(blob.data, 'base64');
    const facts = readPictureFacts(bytes, blob.mimeType);
    const mimeType = facts.kind === 'whole' ? facts.mimeType : blob.mimeType;
    const isPlain = isBase64(blob.data);
    const isSame = isPlain && mimeType === blob.mimeType;
    const plain = isSame ? blob : { mimeType, data: isPlain ? blob.data : bytes.toString('base64') };
    const made = { facts, plain };
    this.known.set(blob, made);
    return made;
  }

  private scaledDown(blob: Blob, facts: PictureFacts, goal: ScaleGoal): Promise<Blob | undefined> {
    const goals = this.scaled.get(blob) ?? new Map<string, Promise<Blob | undefined>>();
    this.scaled.set(blob, goals);
    const key = `${goal.side} ${goal.length}`;
    const scaled = goals.get(key) ?? this.scale(Buffer.from(blob.data, 'base64'), facts, goal);
    goals.set(key, scaled);
    return scaled;
  }

  private withFitted(message: Message, fitted: ReadonlyMap<Blob, Fitted>): Message {
    const own = blobsOf(message);
    if (own.every(blob => fitted.get(blob) === blob)) return message;
    const blobs = own.map(blob => fitted.get(blob)!);
    const before = this.made.get(message);
    if (before?.blobs.length === blobs.length && blobs.every((blob, at) => blob === before.blobs[at]))
      return before.message;
    const made = { ...message, parts: message.parts.map(part => withFitted(part, fitted)) };
    this.made.set(message, { blobs, message: made });
    return made;
  }
}

function withFitted(part: Part, fitted: ReadonlyMap<Blob, Fitted>): Part {
  if (part.kind === 'blob') {
    const made = fitted.get(part.blob)!;
    return typeof made === 'string' ? { kind: 'text', text: made } : { kind: 'blob', blob: made };
  }
  if (part.kind !== 'result' || !part.blobs?.length) return part;
  const { blobs, ...rest } = part;
  const made = blobs.map(blob => fitted.get(blob)!);
  const text = [part.text, ...made.filter(each => typeof each === 'string')].filter(Boolean).join('\n');
  const kept = made.filter(each => typeof each !== 'string');
  return kept.length > 0 ? { ...rest, text, blobs: kept } : { ...rest, text };
}

function isPicture({ mimeType }: Blob): boolean {
  return mimeType.startsWith('image/');
}

function longerSide(facts: PictureFacts): number {
  return facts.kind === 'whole' ? Math.max(facts.width, facts.height) : 0;
}

/** Explains the omission to the model, which may have a tool that makes a smaller copy. */
function describe({ mimeType, data }: Blob, facts: PictureFacts | undefined, why: string): string {
  const size = formatBytes(Math.floor(data.length * 0.75));
  const pixels = facts?.kind === 'whole' ? `, ${facts.width} x ${facts.height} pixels` : '';
  return `[A file (${mimeType}, ${size}${pixels}) is left out here: ${why}.]`;
}

const whyBroken = {
  empty: 'it is empty',
  'no picture': 'its content is no picture of that type',
  'cut off': 'it is cut off in the middle and cannot be read',
} as const;

function tooLarge({ pictureLength }: MediaLimits, side: number): string {
  const most = formatBytes(pictureLength * 0.75);
  const pixels = Number.isFinite(side) ? ` and ${side} pixels a side` : '';
  return `the service takes pictures of at most ${most}${pixels}. Make a smaller copy to look at it`;
}

function tooMany(blob: Blob, { count }: MediaLimits): string {
  return describe(
    blob,
    undefined,
    `the service takes ${count} pictures at once. Read it again to look at it`,
  );
}

function noRoom(blob: Blob, { total }: MediaLimits): string {
  const most = formatBytes(total * 0.75);
  return describe(blob, undefined, `a request holds at most ${most} of files. Read it again to look at it`);
}
