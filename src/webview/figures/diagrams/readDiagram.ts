import { t } from '../../../protocol/language.ts';
import { FigureError } from '../drawing/drawing.ts';
import { type Diagram, maxEdges } from './diagram.ts';
import { readClasses } from './readClasses.ts';
import { readEntities } from './readEntities.ts';
import { readFlowchart } from './readFlowchart.ts';
import { readSequence } from './readSequence.ts';
import { readStates } from './readStates.ts';
import { type SourceLine, sourceLinesOf } from './sourceLines.ts';

const readers: readonly (readonly [RegExp, (lines: readonly SourceLine[], title: string) => Diagram])[] = [
  [/^(?:graph|flowchart(?:-elk)?)\b/i, readFlowchart],
  [/^sequenceDiagram$/i, readSequence],
  [/^stateDiagram(?:-v2)?$/i, readStates],
  [/^classDiagram(?:-v2)?$/i, readClasses],
  [/^erDiagram$/i, readEntities],
];

/** Maximum number of nodes for a readable diagram and a quick layout. */
const mostNodes = 100;
const mostRows = 200;

/**
 * Reads a Mermaid diagram. Throws a `FigureError` for an unknown line, since an incomplete picture would mislead.
 */
export function readDiagram(source: string): Diagram {
  const { title, lines } = sourceLinesOf(source);
  const [first] = lines;
  if (!first) throw new FigureError(t('The diagram is empty.'));
  const reader = readers.find(([pattern]) => pattern.test(first.text))?.[1];
  if (!reader) {
    const [kind = ''] = first.text.split(/\s/);
    throw new FigureError(
      t(
        'Diagrams of the kind “{0}” are not drawn: only flowcharts, sequences, states, classes and entities.',
        kind,
      ),
    );
  }
  const diagram = reader(lines, title);
  if (isTooLarge(diagram)) throw new FigureError(t('The diagram is too large to be drawn.'));
  if ((diagram.kind === 'graph' ? diagram.nodes : diagram.actors).size === 0)
    throw new FigureError(t('The diagram is empty.'));
  return diagram;
}

function isTooLarge(diagram: Diagram): boolean {
  if (diagram.kind === 'sequence') return diagram.rows.length > mostRows || diagram.actors.size > mostNodes;
  const { nodes, edges, groups } = diagram;
  return nodes.size + groups.size > mostNodes || edges.length > maxEdges;
}
