import { t } from '../../../protocol/language.ts';
import type { Drawing } from '../drawing/drawing.ts';
import { measureText } from '../drawing/text.ts';
import type { Diagram } from './diagram.ts';
import { GraphView } from './graphView.tsx';
import { layoutGraph } from './layoutGraph.ts';
import { layoutSequence } from './layoutSequence.ts';
import { readDiagram } from './readDiagram.ts';
import { SequenceView } from './sequenceView.tsx';

export function drawDiagram(source: string): Drawing {
  const diagram = readDiagram(source);
  const name = nameOf(diagram);
  const measure = measureText();
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
