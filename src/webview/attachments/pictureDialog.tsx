import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import { Button } from '../ui/controls.tsx';
import { focusPrompt } from '../ui/keepFocus.ts';
import { initialRegion, regionAfterKey, regionBetween } from './crop.ts';
import { drawRegion, loadPicture, type Region, type Size, sizeOf } from './drawPicture.ts';
import { dataUrlOf, type PictureAttachment } from './pictureData.ts';

interface PictureDialogProps {
  readonly picture: PictureAttachment;
  readonly onChange: (picture: PictureAttachment) => void;
  readonly onRemove: () => void;
  readonly onClose: () => void;
}

/** Originals of edited pictures. */
const originals = new WeakMap<PictureAttachment, PictureAttachment>();

/** Dialog that shows an attached picture as the model gets it, to crop or shrink it. */
export function PictureDialog({ picture, onChange, onRemove, onClose }: PictureDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const image = useSignal<HTMLImageElement | undefined>(undefined);
  const part = useSignal<Region | undefined>(undefined);
  const problem = useSignal('');
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    image.value = undefined;
    part.value = undefined;
    let isNewest = true;
    const show = (loaded: HTMLImageElement) => {
      if (isNewest) image.value = loaded;
    };
    loadPicture(picture.blob).then(show, () => {
      problem.value = t('This picture cannot be shown here. It is sent as it is.');
    });
    return () => {
      isNewest = false;
    };
  }, [picture]);
  const size = useComputed(() => image.value && sizeOf(image.value)).value;
  const original = originals.get(picture);

  const redraw = async (of: Region, scale: number) => {
    const { mimeType } = picture.blob;
    const to = { width: Math.ceil(of.width * scale), height: Math.ceil(of.height * scale) };
    try {
      const changed = { ...picture, blob: await drawRegion(image.peek()!, of, to, mimeType) };
      originals.set(changed, original ?? picture);
      onChange(changed);
      dialog.current?.focus();
    } catch {
      problem.value = t('The picture could not be changed: the browser has not enough memory for it.');
    }
  };
  const crop = () => part.value && void redraw(part.value, 1);
  const pick = () => {
    if (size) part.value = initialRegion(size);
  };
  const onCancel = (event: Event) => {
    if (!part.peek()) return;
    event.preventDefault();
    part.value = undefined;
  };
  const close = () => {
    onClose();
    focusPrompt();
  };
  return (
    <dialog
      class="large-view"
      ref={dialog}
      tabIndex={-1}
      aria-label={picture.name}
      onKeyDown={event => event.stopPropagation()}
      onCancel={onCancel}
      onClose={close}
    >
      <div class="look-head">
        <strong>{picture.name}</strong>
        <span class="quiet">{part.value ? describe(part.value) : size && describe(size, picture)}</span>
      </div>
      <p class="look-problem" role="alert">
        {problem}
      </p>
      <div class="look-room">
        {size && (
          <Canvas
            picture={picture}
            size={size}
            part={part.value}
            onPart={next => (part.value = next)}
            onApply={crop}
          />
        )}
      </div>
      <div class="look-actions">
        {part.value ? (
          <>
            <Button kind="primary" onPress={crop}>
              {t('Crop')}
            </Button>
            <Button onPress={() => (part.value = undefined)}>{t('Cancel')}</Button>
          </>
        ) : (
          <>
            <Button kind="primary" onPress={() => dialog.current?.close()}>
              {t('Done')}
            </Button>
            <Button disabled={!size} onPress={pick}>
              {t('Crop…')}
            </Button>
            <Button disabled={!size} onPress={() => size && void redraw({ x: 0, y: 0, ...size }, 0.5)}>
              {t('Half Size')}
            </Button>
            {original && <Button onPress={() => onChange(original)}>{t('Undo All')}</Button>}
            <Button onPress={onRemove}>{t('Remove')}</Button>
          </>
        )}
      </div>
    </dialog>
  );
}

/** Returns for example `1280 × 720 pixels, 240 KB`. */
function describe({ width, height }: Size, picture?: PictureAttachment): string {
  if (!picture) return t('{0} × {1} pixels', width, height);
  const kilobytes = Math.max(1, Math.round((picture.blob.data.length * 0.75) / 1024));
  return t('{0} × {1} pixels, {2} KB', width, height, kilobytes);
}

interface CanvasProps {
  readonly picture: PictureAttachment;
  readonly size: Size;
  readonly part: Region | undefined;
  readonly onPart: (part: Region) => void;
  readonly onApply: () => void;
}

/** Picture with its crop region, chosen by dragging or by keys. */
function Canvas({ picture, size, part, onPart, onApply }: CanvasProps) {
  const frame = useRef<HTMLDivElement>(null);
  const handle = useRef<HTMLDivElement>(null);
  const begun = useRef<{ readonly x: number; readonly y: number } | undefined>(undefined);
  const hasPart = part !== undefined;
  useLayoutEffect(() => {
    if (hasPart) handle.current?.focus();
  }, [hasPart]);
  const pointAt = ({ clientX, clientY }: PointerEvent) => {
    const { left, top, width, height } = frame.current!.getBoundingClientRect();
    return { x: ((clientX - left) / width) * size.width, y: ((clientY - top) / height) * size.height };
  };
  const onPointerDown = (event: PointerEvent) => {
    event.preventDefault();
    frame.current?.setPointerCapture(event.pointerId);
    begun.current = pointAt(event);
  };
  const onPointerMove = (event: PointerEvent) => {
    if (begun.current) onPart(regionBetween(begun.current, pointAt(event), size));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moved = part && regionAfterKey(part, event.key, event.shiftKey, size);
    if (event.key === 'Enter') onApply();
    else if (moved) onPart(moved);
    else return;
    event.preventDefault();
  };
  const percent = (value: number, of: number) => `${(value / of) * 100}%`;
  return (
    <div
      class="look-picture"
      ref={frame}
      style={{ '--ratio': size.width / size.height }}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        begun.current = undefined;
      }}
    >
      <img src={dataUrlOf(picture.blob)} alt={picture.name} draggable={false} />
      {part && (
        // biome-ignore lint/a11y/useSemanticElements: no element is a part of a picture
        <div
          class="look-part"
          ref={handle}
          role="group"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move it
          tabIndex={0}
          aria-label={t(
            'Part of the picture: {0} × {1} pixels at {2}, {3}',
            part.width,
            part.height,
            part.x,
            part.y,
          )}
          title={t(
            'Drag over the picture, or move it with the arrow keys and change its size with Shift. Enter crops.',
          )}
          style={{
            left: percent(part.x, size.width),
            top: percent(part.y, size.height),
            width: percent(part.width, size.width),
            height: percent(part.height, size.height),
          }}
          onKeyDown={onKeyDown}
        />
      )}
    </div>
  );
}
