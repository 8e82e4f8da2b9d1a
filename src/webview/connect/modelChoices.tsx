import { useSignal } from '@preact/signals';
import { t } from '../../protocol/language.ts';
import type { ChoosingModel, ModelSource, OfferedModel } from '../../protocol/panel/connecting.ts';
import { usePanel } from '../panel/panel.ts';
import { SearchField } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { UntrustedText } from '../ui/untrustedText.tsx';
import { ConnectionProblem } from './wayLines.tsx';

/** Number of models from which on a filter is shown. */
const many = 8;

/** Lists the found models by server. */
export function ModelChoices({ step }: { readonly step: ChoosingModel }) {
  const words = useSignal('');
  const count = step.sources.reduce((sum, { models }) => sum + models.length, 0);
  const wanted = words.value.trim().toLowerCase();
  const found = step.sources.map(source => ({
    ...source,
    models: source.models.filter(({ label }) => label.toLowerCase().includes(wanted)),
  }));
  const shown = wanted === '' ? found : found.filter(({ models }) => models.length > 0);
  return (
    <>
      {count > many && (
        <SearchField
          label={t('Filter models')}
          value={words.value}
          onChange={typed => (words.value = typed)}
        />
      )}
      <div class={count > many ? 'offers long' : 'offers'}>
        {shown.map(source => (
          <Source key={`${source.name} ${source.place}`} source={source} step={step} />
        ))}
        {shown.length === 0 && <p class="quiet">{t('No model matches “{0}”.', words.value)}</p>}
      </div>
    </>
  );
}

function Source({ source, step }: { readonly source: ModelSource; readonly step: ChoosingModel }) {
  const { name, place, models, problem } = source;
  const title = place === '' ? name : `${name} · ${place}`;
  return (
    <section aria-label={title}>
      <p class="quiet ellipsis" title={title}>
        {title}
      </p>
      {problem && (
        <p class="way-note">
          <UntrustedText text={problem} />
        </p>
      )}
      <ul>
        {models.map(model => (
          <Offer key={model.id} model={model} step={step} />
        ))}
      </ul>
    </section>
  );
}

function Offer({
  model: { id, label },
  step,
}: {
  readonly model: OfferedModel;
  readonly step: ChoosingModel;
}) {
  const { act } = usePanel();
  const isTrying = step.trying === id;
  return (
    <li>
      <button type="button" class="offer" onClick={() => act({ type: 'connect.choose', id })}>
        <span class="offer-name">
          <UntrustedText text={label} />
        </span>
        {isTrying && (
          <>
            <Icon name="loading" class="spin" />
            <span class="sr-only">{`, ${t('trying it')}`}</span>
          </>
        )}
      </button>
      {step.refused?.id === id && <ConnectionProblem text={step.refused.problem} />}
    </li>
  );
}
