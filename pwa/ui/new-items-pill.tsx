import {ArrowUp} from 'lucide-react';

/** "2 new": the list did not move under the finger; a press brings them in. Renders nothing at 0. */
export function NewItemsPill({count, onShow, noun = 'new'}: {count: number; onShow: () => void; noun?: string}) {
  return (
    <div role="status" className="pointer-events-none sticky top-[calc(var(--header-height)+var(--safe-top)+4rem)] z-20 flex h-0 justify-center">
      {count > 0 && (
        <button
          type="button"
          onClick={onShow}
          className="btn btn-primary pointer-events-auto animate-enter-up rounded-full text-base shadow-float"
        >
          <ArrowUp aria-hidden="true" className="size-4" />
          {count} {noun}
        </button>
      )}
    </div>
  );
}
