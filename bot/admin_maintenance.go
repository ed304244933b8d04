package bot

import (
	"context"
	"strings"

	"mcbk/models/settings"
)

// adminMaintenance requests confirmation to close or open the game; without an argument it shows the state.
func (h *adminHandler) adminMaintenance(ctx context.Context, _ *message, payload string) (reply, error) {
	is := onOff(h.store.Settings.InMaintenance(ctx, h.now()))
	switch word := strings.ToLower(payload); word {
	case "":
		return reply{text: "Maintenance is " + is + ". Usage: /maintenance on|off"}, nil
	case is:
		return reply{text: "Maintenance is already " + is + "."}, nil
	case "on":
		return reply{
			text:   "Close the game for all players? They see “Technical works”; what they have tapped stays on their phones and counts afterwards: with the energy of that day, and not once the season or their tournament is over. A whole UTC day without the game breaks every streak: check-ins, the wheel, x2 in the mines.",
			action: settings.ActionMaintenance, args: []string{word},
		}, nil
	case "off":
		return reply{text: "Open the game again?", action: settings.ActionMaintenance, args: []string{word}}, nil
	}
	return reply{}, errUsage
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
