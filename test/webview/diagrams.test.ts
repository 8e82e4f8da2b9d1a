import { expect, test } from 'vitest';
import type { Graph } from '../../src/webview/figures/diagrams/diagram.ts';
import { layoutGraph } from '../../src/webview/figures/diagrams/layoutGraph.ts';
import { layoutSequence } from '../../src/webview/figures/diagrams/layoutSequence.ts';
import { readDiagram } from '../../src/webview/figures/diagrams/readDiagram.ts';
import { readFlowchart } from '../../src/webview/figures/diagrams/readFlowchart.ts';

const measure = (text: string) => text.length * 7;

function readGraph(source: string): Graph {
  const diagram = readDiagram(source);
  if (diagram.kind !== 'graph') throw new Error('This is no graph.');
  return diagram;
}

function edgesOf(source: string): readonly string[] {
  return readGraph(source).edges.map(
    ({ from, to, text, line, start, end }) => `${from} ${start} ${line} ${end} ${to}${text && `: ${text}`}`,
  );
}

test('flowcharts are read with every kind of link, with and without words', () => {
  expect(
    edgesOf('flowchart LR\nA-->B\nA --- B\nA -.-> B\nA ==> B\nA --x B\nA --o B\nA <--> B\nA ~~~ B'),
  ).toEqual([
    'A none solid arrow B',
    'A none solid none B',
    'A none dotted arrow B',
    'A none thick arrow B',
    'A none solid cross B',
    'A none solid circle B',
    'A arrow solid arrow B',
    'A none hidden none B',
  ]);
  expect(edgesOf('graph TD; A-- two words -->B; B -->|no| C & D; C -. maybe .-> A; C == yes ==> D')).toEqual([
    'A none solid arrow B: two words',
    'B none solid arrow C: no',
    'B none solid arrow D: no',
    'C none dotted arrow A: maybe',
    'C none thick arrow D: yes',
  ]);
  expect(edgesOf('flowchart\na-b --> c_d ---> e1@{ shape: cyl, label: "E 1" }')).toHaveLength(2);
});

test('labels are plain text, whatever markup they hold', () => {
  const { nodes } = readGraph(
    'flowchart TD\nA["Say #quot;hi#quot;<br/>(now)"] --> B{<b>Sure?</b>}\nC("Promise<void> <img src=x onerror=alert(1)>") --> D["`**bold** text`"]',
  );
  expect([...nodes.values()].map(({ text }) => text)).toEqual([
    'Say "hi"\n(now)',
    'Sure?',
    'Promise<void> <img src=x onerror=alert(1)>',
    'bold text',
  ]);
});

test('styles, presses and settings of a diagram change nothing', () => {
  const plain = readGraph('flowchart TD\nA --> B');
  const styled = readGraph(
    '---\nconfig:\n  theme: dark\n---\n%%{init: {"themeCSS": "* { fill: red }"}}%%\nflowchart TD\n%% words\nA:::hot --> B\n' +
      'classDef hot fill:#f96\nstyle A fill:#fff\nlinkStyle 0 stroke:red\nclick A "javascript:alert(1)"\nclick B call hacked()',
  );
  expect(styled).toEqual(plain);
});

test('groups hold the nodes that they name first, and an edge may name a group', () => {
  const graph = readGraph(
    'flowchart TB\nsubgraph one["The first"]\nA --> B\nsubgraph two\nC\nend\nend\nD --> one',
  );
  expect(graph.nodes.get('A')?.group).toBe('one');
  expect(graph.nodes.get('C')?.group).toBe('two');
  expect(graph.groups.get('two')).toEqual({ text: 'two', parent: 'one' });
  expect(graph.nodes.has('one')).toBe(false);
  expect(layoutGraph(graph, measure).edges).toHaveLength(2);
});

test('a line that is not known is named, since a picture that leaves something out misleads', () => {
  const problems = [
    ['flowchart TD\nA --> B\n\nthis says nothing', 'Line 4 cannot be read: this says nothing'],
    ['flowchart TD\nA["open --> B', 'Line 2 cannot be read: A["open --> B'],
    ['flowchart TD\nA -->', 'Line 2 cannot be read: A -->'],
    ['sequenceDiagram\nA->>B: hi\nhello there', 'Line 3 cannot be read: hello there'],
    ['classDiagram\nA <|-- B\n???', 'Line 3 cannot be read: ???'],
    ['erDiagram\nA ||--o{ B : has\nA likes B', 'Line 3 cannot be read: A likes B'],
    ['%% only words', 'The diagram is empty.'],
    [`flowchart TD\nA["${'x'.repeat(2000)}"]`, 'Line 2 is too long to be drawn.'],
  ] as const;
  for (const [source, problem] of problems) expect(() => readDiagram(source), source).toThrow(problem);
  expect(() => readDiagram('gantt\ntitle Plan')).toThrow('“gantt”');
});

test('states have a start and an end in each group, and notes beside them', () => {
  const graph = readGraph(
    'stateDiagram-v2\n[*] --> Idle\nstate "Long name" as Busy\nIdle --> Busy : work\nstate Busy2 {\n[*] --> Inner\n}\n' +
      'state pick <<choice>>\nBusy --> pick\npick --> [*]\nnote right of Idle : waits\nnote left of Busy\nline one\nend note',
  );
  const shapes = [...graph.nodes.values()].map(({ shape }) => shape);
  expect(shapes.filter(shape => shape === 'start')).toHaveLength(2);
  expect(shapes.filter(shape => shape === 'note')).toHaveLength(2);
  expect(graph.nodes.get('Busy')?.text).toBe('Long name');
  expect(graph.nodes.get('Inner')?.group).toBe('Busy2');
});

test('classes and entities show their members, and how many belong to each other', () => {
  const classes = readGraph(
    'classDiagram\nclass Shape~T~ {\n<<interface>>\n+name: string\n+area() double\n}\nShape <|-- Circle\nCircle "1" o-- "*" Point : has\nCircle : +radius',
  );
  expect(classes.nodes.get('Shape')).toMatchObject({
    text: '«interface»\nShape<T>',
    sections: [['+name: string'], ['+area() double']],
  });
  expect(classes.edges[0]).toMatchObject({ start: 'triangle', end: 'none' });
  expect(classes.edges[1]).toMatchObject({ start: 'diamond', startText: '1', endText: '*', text: 'has' });
  const entities = readGraph('erDiagram\nORDER ||--|{ LINE-ITEM : contains\nORDER {\nint id PK "the key"\n}');
  expect(entities.edges[0]).toMatchObject({ startText: '1', endText: '1..*', text: 'contains' });
  expect(entities.nodes.get('ORDER')?.sections).toEqual([['int id PK']]);
});

test('sequences have a row for each message, note and block', () => {
  const diagram = readDiagram(
    'sequenceDiagram\nparticipant A as Ann\nA->>+web-app: hi\nweb-app-->>-A: ho\nA-xB: lost\nA-)B: later\n' +
      'alt yes\nA->>A: thinks\nelse no\nNote over A,B: both\nend\nbox Blue\nend',
  );
  if (diagram.kind !== 'sequence') throw new Error('This is no sequence.');
  expect([...diagram.actors]).toEqual([
    ['A', 'Ann'],
    ['web-app', 'web-app'],
    ['B', 'B'],
  ]);
  expect(diagram.rows.map(({ kind }) => kind).join(' ')).toBe(
    'message message message message begin message else note finish',
  );
  const { width, rows } = layoutSequence(diagram, measure);
  for (const row of rows) if (row.kind === 'note') expect(row.x + row.width).toBeLessThanOrEqual(width);
});

test('a diagram that is too large is refused before its layout begins', () => {
  const chain = Array.from({ length: 2_000 }, (_, at) => `N${at}-->N${at + 1}`).join('\n');
  expect(() => readDiagram(`flowchart TD\n${chain}`)).toThrow('too large');
  const all = Array.from({ length: 30 }, (_, at) => `N${at}`).join(' & ');
  expect(() => readDiagram(`flowchart TD\n${all} --> ${all}`)).toThrow('too large');
  const lines = Array.from({ length: 300 }, () => 'A->>B: x').join('\n');
  expect(() => readDiagram(`sequenceDiagram\n${lines}`)).toThrow('too large');
});

test('a diagram of very many parts is refused while it is read', () => {
  const all = Array.from({ length: 160 }, () => 'a').join('&');
  const line = `${all}-->${all}-->${all}`;
  expect(() =>
    readFlowchart(
      [
        { text: 'graph', number: 1 },
        { text: line, number: 2 },
      ],
      '',
    ),
  ).toThrow('too large');
  const members = 'x\n'.repeat(4_000);
  expect(() => readDiagram(`classDiagram\nclass A {\n${members}}`)).toThrow('too large');
});

test('directives and settings that never end are read once, not from each of their places', () => {
  expect(() => readDiagram(`graph TD\n${'%%{'.repeat(200_000)}`)).toThrow('is empty');
  expect(() => readDiagram(`---\n${'\n'.repeat(300_000)}\n---\n???`)).toThrow('are not drawn');
});

test('the largest that is drawn has a place for everything', () => {
  const links = Array.from({ length: 140 }, (_, at) => `N${at % 95} -->|word ${at}| N${(at * 37 + 11) % 95}`);
  const placed = layoutGraph(readGraph(`flowchart TD\n${links.join('\n')}`), measure);
  expect(placed.nodes).toHaveLength(95);
  for (const { x, y } of placed.nodes) {
    expect(x).toBeLessThanOrEqual(placed.width);
    expect(y).toBeLessThanOrEqual(placed.height);
  }
});

test('the title of a group has a row of its own, above what the group holds', () => {
  for (const direction of ['TD', 'LR', 'BT']) {
    const { groups, nodes } = layoutGraph(
      readGraph(
        `flowchart ${direction}\nsubgraph outer[The outer one]\nsubgraph inner[The inner one]\nA((A longer text)) --> B{Choice}\nend\nB --> C\nend\nC --> D`,
      ),
      measure,
    );
    const topOf = ({ y, height }: { y: number; height: number }) => y - height / 2;
    const [outer, inner] = groups.map(topOf) as [number, number];
    expect(outer).toBeGreaterThanOrEqual(8);
    expect(inner - outer).toBeGreaterThanOrEqual(16);
    for (const node of nodes.slice(0, 2)) expect(topOf(node) - inner).toBeGreaterThanOrEqual(16);
  }
});
