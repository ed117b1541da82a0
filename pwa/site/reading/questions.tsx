import { Plus } from 'lucide-react'
import type { Question } from '../content/content.ts'
import { Rich } from './rich.tsx'

/** Questions that open on a press; the browser's own search finds the answers also while they are closed. */
export function Questions({ questions, firstOpen = false }: { questions: readonly Question[]; firstOpen?: boolean }) {
  return (
    <div className="border-t border-base-300">
      {questions.map(({ question, answer }, index) => (
        <details key={question} open={firstOpen && index === 0} className="group border-b border-base-300">
          <summary className="flex min-h-14 cursor-pointer list-none items-center gap-4 py-3 text-lg font-semibold hover:text-signal [&::-webkit-details-marker]:hidden">
            <h3 className="flex-1 text-lg tracking-normal">{question}</h3>
            <Plus
              aria-hidden="true"
              className="size-5 shrink-0 text-muted transition-transform duration-150 group-open:rotate-45"
            />
          </summary>
          <div className="flex max-w-prose flex-col gap-3 pr-9 pb-5 text-muted">
            {answer.map((paragraph) => (
              <p key={paragraph}>
                <Rich text={paragraph} />
              </p>
            ))}
          </div>
        </details>
      ))}
    </div>
  )
}
