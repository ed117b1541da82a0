import { Button } from '../ui/button.tsx'

export function ShowMore({ onMore }: { onMore: () => void }) {
  return (
    <div className="mt-4 text-center">
      <Button variant="secondary" onClick={onMore}>
        Show More
      </Button>
    </div>
  )
}
