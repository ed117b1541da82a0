import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  defaultQuestions,
  isRequiredQuestion,
  questionText,
  withRequired,
} from '#shared/applications/application-record.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { CheckboxField } from '../../ui/choice-fields.tsx'
import { FieldError, Fieldset } from '../../ui/field.tsx'
import { announce } from '../../ui/live-region.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Tooltip, TooltipProvider } from '../../ui/tooltip.tsx'
import { questionToAdd, type Customization } from './customization.ts'

const newQuestionId = 'new-question'
/** Leaves room for the asterisk of a required question within the stored 500 characters. */
const longestQuestion = 498

export function QuestionsTab(props: {
  values: Customization
  error: string | undefined
  onChange: (changed: Partial<Customization>) => void
}) {
  const { values, error, onChange } = props
  const [typed, setTyped] = useState('')
  const { customQuestions, showDefaultQuestions } = values

  function add() {
    const question = questionToAdd(typed, customQuestions)
    setTyped('')
    document.getElementById(newQuestionId)?.focus()
    if (question === null) return
    onChange({ customQuestions: [...customQuestions, question] })
    announce('Question added.')
  }
  function setRequired(question: string, isRequired: boolean) {
    const changed = withRequired(question, isRequired)
    onChange({ customQuestions: customQuestions.map((kept) => (kept === question ? changed : kept)) })
  }
  function remove(question: string) {
    onChange({ customQuestions: customQuestions.filter((kept) => kept !== question) })
    announce('Question removed.')
    document.getElementById(newQuestionId)?.focus()
  }

  return (
    <div className="flex flex-col gap-8">
      <Fieldset legend="Default questions" heading gap="small">
        <CheckboxField
          label="Include default questions"
          look="switch"
          checked={showDefaultQuestions}
          onChange={(change) => onChange({ showDefaultQuestions: change.target.checked })}
        />
        <ol className={`list-decimal pl-6 ${showDefaultQuestions ? '' : 'text-muted line-through'}`}>
          {defaultQuestions.map(({ field, text }) => (
            <li key={field} className="py-0.5">
              {text}
            </li>
          ))}
        </ol>
      </Fieldset>
      <Fieldset legend="Your own questions" heading>
        {customQuestions.length > 0 && (
          <TooltipProvider>
            <ul className="flex flex-col gap-2">
              {customQuestions.map((question) => (
                <li
                  key={questionText(question)}
                  className="flex flex-wrap items-center gap-x-2 rounded-field border border-base-300 py-1 pr-1 pl-4"
                >
                  <span className="min-w-0 flex-[1_1_12rem] py-2 break-words">{questionText(question)}</span>
                  <CheckboxField
                    label="Required"
                    look="switch"
                    aria-label={`Required: ${questionText(question)}`}
                    checked={isRequiredQuestion(question)}
                    onChange={(change) => setRequired(question, change.target.checked)}
                  />
                  <Tooltip hint="Remove question">
                    <IconButton label={`Remove question: ${questionText(question)}`} onClick={() => remove(question)}>
                      <Trash2 className="size-5" />
                    </IconButton>
                  </Tooltip>
                </li>
              ))}
            </ul>
          </TooltipProvider>
        )}
        {error && <FieldError id="questions-error">{error}</FieldError>}
        <div className="flex flex-col gap-3 sm:flex-row sm:items-end">
          <div className="flex-1">
            <TextField
              id={newQuestionId}
              label="New question"
              maxLength={longestQuestion}
              autoComplete="off"
              enterKeyHint="done"
              value={typed}
              onChange={(change) => setTyped(change.target.value)}
              onKeyDown={(press) => {
                if (press.key !== 'Enter' || press.nativeEvent.isComposing) return
                press.preventDefault()
                add()
              }}
            />
          </div>
          <Button variant="secondary" onClick={add}>
            Add Question
          </Button>
        </div>
      </Fieldset>
    </div>
  )
}
