/* Answers with diagrams and charts. */

import { prompt, started, step, stepEnd, text } from './journal.ts';

const flowchart = `\`\`\`mermaid
flowchart TD
  A["Prompt (typed)"] -- sent --> B{Is it a<br/>command?}
  B -->|yes| C([Run it]) & D[(Journal)]
  B -.->|no| E[[Ask the model]]:::hot
  subgraph G["One turn"]
    E ==> F((Tool calls))
    F --> E
  end
  F --x H{{The end}}
  classDef hot fill:#f96
\`\`\``;

const sequence = `\`\`\`mermaid
sequenceDiagram
  autonumber
  actor U as User
  participant P as Panel
  participant H as Extension host
  U->>+P: types a prompt
  P->>H: prompt.send
  loop each step
    H->>H: runs calls
    alt it is allowed
      H-->>P: patches
    else denied
      H--xP: the reason
    end
  end
  Note over P,H: Patches come at most 30 times a second
  P-->>-U: shows the answer
\`\`\``;

const states = `\`\`\`mermaid
stateDiagram-v2
  [*] --> validating
  validating --> asking : needs a decision
  state executing {
    [*] --> started
    started --> [*]
  }
  asking --> executing : allowed
  executing --> [*]
  note right of asking : One at a time
\`\`\``;

const classes = `\`\`\`mermaid
classDiagram
  class Shape {
    <<interface>>
    +string name
    +area() double
  }
  Shape <|-- Circle
  Shape <|.. Square : draws
  Circle "1" o-- "*" Point : has
  Circle : +double radius
\`\`\``;

const entities = `\`\`\`mermaid
erDiagram
  CUSTOMER ||--o{ ORDER : places
  ORDER ||--|{ LINE-ITEM : contains
  CUSTOMER {
    string name PK "as typed"
    int age
  }
\`\`\``;

const bars = `\`\`\`chart
{ "kind": "bar", "title": "Size by part", "unit": "KB", "labels": ["host", "page", "headless"],
  "series": [ { "name": "before", "values": [239.5, 225.8, 310] }, { "name": "after", "values": [233.7, 229, null] } ] }
\`\`\``;

const lines = `\`\`\`chart
{ "kind": "line", "labels": ["Jan", "Feb", "Mar", "Apr", "May"],
  "series": [ { "name": "p50", "values": [12, 14, 11, 9, 8] }, { "name": "p95", "values": [40, 42, 31, 28, 30] },
    { "name": "p99", "values": [80, 77, 60, 52, 55] } ] }
\`\`\``;

const pie = '```mermaid\npie title Test runs\n  "passed" : 310\n  "failed" : 12\n  "skipped" : 40\n```';
const broken = '```mermaid\nflowchart LR\n  A --> B\n  this line says nothing\n```';

function answering(...blocks: readonly string[]) {
  return [
    started,
    prompt('t1', 'Draw it'),
    step('s1', 1),
    text('s1', blocks.join('\n\n')),
    stepEnd('s1', 100),
  ];
}

export const diagrams = answering(flowchart, sequence);
export const moreDiagrams = answering(states, classes, entities, broken);
export const charts = answering(bars, lines, pie);
