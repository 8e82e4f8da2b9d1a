import { useComputed } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel } from '../../panel/panel.ts';
import { memo } from '../../ui/memo.ts';
import { advanceBlocks, type Block, type Blocks, noBlocks } from './blocks.ts';
import { highlightIn, showCopied } from './decorate.ts';
import { highlighter } from './highlightPart.ts';
import { linkIntention } from './links.ts';
import { type Markdown, markdown } from './markdownPart.ts';

/** Text of the model. Plain until the Markdown renderer is loaded. */
export const AnswerText = memo(function AnswerText({ text }: { readonly text: string }) {
  const { act } = usePanel();
  const blocks = useRef<Blocks>(noBlocks);
  const loaded = useComputed(() => markdown.present);
  const renderer = loaded.value;
  if (!renderer)
    return (
      <div class="answer answer-plain" dir="auto">
        {text}
      </div>
    );
  blocks.current = advanceBlocks(blocks.current, text, renderer.splitBlocks);
  const { done, rest } = blocks.current;

  const onClick = (event: MouseEvent) => {
    const target = event.target as Element;
    const heading = target.closest('.table-sort');
    if (heading) return renderer.sortByHeading(heading);
    const copy = target.closest('.code-copy');
    if (copy) {
      showCopied(copy);
      const table = copy.closest('.answer-table')?.querySelector('table');
      return act({ type: 'text.copy', text: table ? renderer.tableText(table) : wholeCodeOf(copy) });
    }
    const href = target.closest('a')?.getAttribute('href');
    if (!href) return;
    event.preventDefault();
    const intention = linkIntention(href);
    if (intention) act(intention);
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: the links and buttons inside answer to keys automatically.
    <div class="answer" onClick={onClick}>
      {done.pages.map((page, index) => (
        <BlockPage key={index} blocks={page} renderer={renderer} />
      ))}
      {rest && <BlockView source={rest} renderer={renderer} />}
    </div>
  );
});

const BlockPage = memo(function BlockPage(props: {
  readonly blocks: readonly Block[];
  readonly renderer: Markdown;
}) {
  return (
    <div class="answer-page">
      {props.blocks.map(({ markdown: source, cut }, index) => (
        <BlockView key={index} source={source} cut={cut} renderer={props.renderer} />
      ))}
    </div>
  );
});

interface BlockViewProps {
  readonly source: string;
  readonly cut?: Block['cut'];
  readonly renderer: Markdown;
}

const BlockView = memo(function BlockView(props: BlockViewProps) {
  const { source, cut, renderer } = props;
  const figure = cut === undefined ? renderer.findFigure(source) : undefined;
  if (!figure) return <MarkdownView {...props} />;
  return (
    <renderer.FigureBlock source={figure}>
      <MarkdownView {...props} />
    </renderer.FigureBlock>
  );
});

function MarkdownView({ source, cut, renderer }: BlockViewProps) {
  const element = useRef<HTMLDivElement>(null);
  const isHighlighterThere = useComputed(() => highlighter.present !== undefined).value;
  useLayoutEffect(() => {
    if (element.current) renderer.replaceBlock(element.current, renderer.renderMarkdown(source));
  }, [source, renderer]);
  useLayoutEffect(() => {
    if (element.current) highlightIn(element.current);
  }, [source, renderer, isHighlighterThere]);
  return <div class="answer-block" data-cut={cut} ref={element} />;
}

/** Returns the original code beside a button, joined from the blocks that `blocks.ts` cut. */
function wholeCodeOf(copy: Element): string {
  const codeBlock = copy.closest('.code-block') ?? copy;
  const answer = codeBlock.closest('.answer');
  const own = codeBlock.closest<HTMLElement>('.answer-block');
  const blocks = [...(answer?.querySelectorAll<HTMLElement>('.answer-block') ?? [])];
  let at = own ? blocks.indexOf(own) : -1;
  const isCut = blocks[at]?.dataset.cut !== undefined || blocks[at - 1]?.dataset.cut !== undefined;
  if (!isCut) return codeOf(codeBlock);
  while (blocks[at - 1]?.dataset.cut !== undefined) at--;
  let code = '';
  for (const block of blocks.slice(at)) {
    const { cut } = block.dataset;
    // The closing fence of a cut added a line break.
    code += cut === 'inLine' ? codeOf(block).replace(/\n$/, '') : codeOf(block);
    if (cut === undefined) break;
  }
  return code;
}

function codeOf(element: Element): string {
  return element.querySelector('code')?.textContent ?? '';
}
