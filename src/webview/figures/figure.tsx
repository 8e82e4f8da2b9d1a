import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { t } from '../../protocol/language.ts';
import { usePanel } from '../panel/panel.ts';
import { Icon } from '../ui/icon.tsx';
import type { IconName } from '../ui/icons.ts';
import { drawChart } from './charts/chartView.tsx';
import type { Diagram } from './diagrams/diagram.ts';
import { GraphView } from './diagrams/graphView.tsx';
import { layoutGraph } from './diagrams/layoutGraph.ts';
import { layoutSequence } from './diagrams/layoutSequence.ts';
import { readDiagram } from './diagrams/readDiagram.ts';
import { SequenceView } from './diagrams/sequenceView.tsx';
import { type Drawing, FigureError } from './drawing/drawing.ts';
import { textMeasurer } from './drawing/text.ts';
import type { FigureSource } from './findFigure.ts';
import { LargeFigure } from './largeFigure.tsx';
import { copyPicture } from './picture.ts';

interface FigureProps {
  readonly source: FigureSource;
  /** The source as code. */
  readonly children: ComponentChildren;
}

/** A diagram or chart of an answer, with its actions. Shows the source if it cannot be drawn. */
export function Figure({ source, children }: FigureProps) {
  const { act } = usePanel();
  const root = useRef<HTMLDivElement>(null);
  const large = useRef<HTMLDialogElement>(null);
  const room = useSignal(0);
  const showsSource = useSignal(false);
  const copied = useSignal<'yes' | 'no' | undefined>(undefined);
  useEffect(() => {
    // Draws each figure when it comes near the view, since many would block the page.
    const near = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) room.value = entry.boundingClientRect.width;
      },
      { rootMargin: '400px' },
    );
    near.observe(root.current!);
    return () => near.disconnect();
  }, [room]);
  const { kind, code } = source;
  const result = useMemo(() => tryToDraw(kind, code, room.value), [kind, code, room.value]);
  const isSource = showsSource.value || !result.drawing;
  const copy = async () => {
    const svg = root.current?.querySelector('svg');
    if (svg) copied.value = (await copyPicture(svg)) ? 'yes' : 'no';
  };
  return (
    <div class="figure" ref={root}>
      <div class="code-head">
        <span class="code-language">{kind}</span>
        <span class="figure-actions">
          {result.drawing && (
            <>
              {!isSource && (
                <>
                  <Action
                    icon="screen-full"
                    label={t('Open large')}
                    onPress={() => large.current?.showModal()}
                  />
                  <Action
                    icon={copied.value === 'yes' ? 'check' : 'file-media'}
                    label={t('Copy as picture')}
                    onPress={() => void copy()}
                  />
                </>
              )}
              <Action
                icon="code"
                label={t('Show source')}
                isPressed={isSource}
                onPress={() => (showsSource.value = !isSource)}
              />
            </>
          )}
          <Action
            icon="copy"
            label={t('Copy source')}
            onPress={() => act({ type: 'text.copy', text: code })}
          />
        </span>
      </div>
      {copied.value === 'no' && (
        <p class="figure-problem" role="alert">
          {t('The picture could not be copied. Open it large and take a screenshot, or copy the source.')}
        </p>
      )}
      {result.problem !== undefined && (
        <p class="figure-problem">
          <Icon name="warning" /> {result.problem}
        </p>
      )}
      {isSource ? children : <DrawingView drawing={result.drawing!} />}
      {result.drawing && (
        <LargeFigure drawing={result.drawing} dialog={large}>
          <DrawingView drawing={result.drawing} />
        </LargeFigure>
      )}
    </div>
  );
}

interface ActionProps {
  readonly icon: IconName;
  readonly label: string;
  readonly isPressed?: boolean;
  readonly onPress: () => void;
}

function Action({ icon, label, isPressed, onPress }: ActionProps) {
  return (
    <button
      type="button"
      class="icon-button flat"
      title={label}
      aria-label={label}
      aria-pressed={isPressed}
      onClick={onPress}
    >
      <Icon name={icon} />
    </button>
  );
}

function DrawingView({ drawing: { name, width, height, view } }: { readonly drawing: Drawing }) {
  return (
    <div class="figure-view">
      <svg role="img" aria-label={name} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        {view}
      </svg>
    </div>
  );
}

interface Result {
  readonly drawing?: Drawing;
  readonly problem?: string;
}

function tryToDraw(kind: FigureSource['kind'], code: string, room: number): Result {
  if (room === 0) return {};
  try {
    return {
      drawing: kind === 'chart' || /^\s*pie\b/.test(code) ? drawChart(code, room) : drawDiagram(code),
    };
  } catch (error) {
    if (error instanceof FigureError) return { problem: error.message };
    // A bug in the layout must not hide the answer, so the source is shown.
    console.error(error);
    return { problem: t('It could not be drawn.') };
  }
}

function drawDiagram(source: string): Drawing {
  const diagram = readDiagram(source);
  const name = nameOf(diagram);
  const measure = textMeasurer();
  if (diagram.kind === 'graph') {
    const placed = layoutGraph(diagram, measure);
    return { name, width: placed.width, height: placed.height, view: <GraphView {...placed} /> };
  }
  const placed = layoutSequence(diagram, measure);
  return { name, width: placed.width, height: placed.height, view: <SequenceView {...placed} /> };
}

function nameOf(diagram: Diagram): string {
  const names =
    diagram.kind === 'graph'
      ? [...diagram.nodes.values()].map(({ text }) => text)
      : [...diagram.actors.values()];
  const words = names.filter(Boolean).map(name => name.replace(/\s+/g, ' '));
  const some = [...words.slice(0, 8), ...(words.length > 8 ? ['…'] : [])].join(', ');
  return diagram.title ? t('Diagram “{0}”: {1}', diagram.title, some) : t('Diagram: {0}', some);
}
