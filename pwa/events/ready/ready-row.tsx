import { Spinner } from '../../ui/loading.tsx'
import { HomeScreenSteps } from '../../ui/page/home-screen-steps.tsx'
import { lineTitles, type LineName, type ReadyLine } from './ready-lines.ts'
import { RepairButton } from './repair-button.tsx'
import { ToneGlyph } from './tone-glyph.tsx'

/** Shows one line of the check: its state, what was found, and its repair. */
export function ReadyRow(props: {
  readonly name: LineName
  readonly line: ReadyLine | undefined
  readonly isChecking: boolean
  readonly onRepaired: () => void
}) {
  const { name, line, isChecking, onRepaired } = props
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-base-300 p-4 last:border-0">
      <div className="flex min-w-0 flex-[1_1_16rem] items-start gap-3">
        <span className="mt-1 flex w-5 shrink-0 justify-center">
          {line || !isChecking ? <ToneGlyph tone={line?.tone ?? 'unknown'} /> : <Spinner className="size-4" />}
        </span>
        <div className="min-w-0">
          <h2 className="text-base leading-snug font-medium">{lineTitles[name]}</h2>
          <p className="text-sm text-muted [overflow-wrap:anywhere]">
            {line?.text ?? (isChecking ? 'Checking…' : 'Not checked yet')}
            {line?.repair === 'show-install-steps' && (
              <>
                {' '}
                <HomeScreenSteps />
              </>
            )}
          </p>
        </div>
      </div>
      {line?.repair && line.repair !== 'show-install-steps' && !isChecking && (
        <div className="max-sm:ml-8">
          <RepairButton repair={line.repair} onRepaired={onRepaired} />
        </div>
      )}
    </li>
  )
}
